import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Makes a stopping server close connections without any request along with the idle ones. Browsers and HTTP clients
 * open some in advance. Node.js 24 takes only those for idle that were answered, so the others would delay the stop.
 */
export function closeSilentConnections(server: Server): void {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  const closeAnswered = server.closeIdleConnections
  server.closeIdleConnections = () => {
    closeAnswered.call(server)
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  }
}
