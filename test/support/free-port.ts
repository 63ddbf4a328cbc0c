import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Ports below those that systems give to outgoing connections (from 32768 on Linux, from 49152 elsewhere). One of those
 * may become the local end of a connection of any program between two starts of a server.
 */
const [FIRST_PORT, LAST_PORT] = [12_000, 32_000]

/** Finds a local port that nobody listens on, for a server that keeps its address when it is started again. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT))
    const server = createServer().listen(port, '127.0.0.1')
    try {
      await once(server, 'listening')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') continue
      throw error
    }
    server.close()
    await once(server, 'close')
    return port
  }
}
