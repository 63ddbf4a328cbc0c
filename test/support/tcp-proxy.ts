import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Owner } from './databases.ts'

/** A line to a server that can break in the ways that networks do. */
export type TcpProxy = {
  port: number
  /**
   * Stops to pass bytes on, in both directions. Connections stay open, and new ones are accepted, as by a frozen
   * server.
   */
  freeze(): void
  /** Passes on what has arrived meanwhile. */
  thaw(): void
  /** Drops everything silently, as a firewall does: what was sent meanwhile is lost with its connection. */
  cut(): void
  /** Lets new connections through again. Those from before stay silent. */
  mend(): void
  /** Closes all connections and refuses new ones, as a stopped server does. */
  vanish(): Promise<void>
  /** Accepts connections again, on the same port. */
  comeBack(): Promise<void>
  /** Freezes after this many more bytes from the server, so that a response stops in its middle. */
  freezeAfter(bytes: number): void
  /** Closes all connections after this many more bytes from clients, and resolves then. New ones are accepted. */
  closeAfter(bytes: number): Promise<void>
}

type Line = { client: Socket; upstream: Socket; isDead: boolean }

/** Starts a proxy to a server on this machine. It ends with its owner. */
export async function startTcpProxy(
  owner: Owner,
  target: { port: number | string; hostname: string },
): Promise<TcpProxy> {
  const lines = new Set<Line>()
  /** Both ends of every line, which may end at different times. */
  const sockets = new Set<Socket>()
  let state: 'open' | 'frozen' | 'cut' = 'open'
  let bytesUntilFreeze = Infinity
  let bytesUntilClose = Infinity
  let closed = Promise.withResolvers<void>()

  const server = createServer((client) => {
    const line = { client, upstream: connect(Number(target.port), target.hostname), isDead: state === 'cut' }
    lines.add(line)
    forward(line, client, line.upstream)
    forward(line, line.upstream, client)
    if (state !== 'open') pause(line)
  })

  function forward(line: Line, from: Socket, to: Socket): void {
    sockets.add(from)
    from.on('error', () => {})
    from.on('data', (chunk) => {
      to.write(chunk)
      if (from === line.client) {
        bytesUntilClose -= chunk.length
        if (bytesUntilClose <= 0) closeAll()
        return
      }
      bytesUntilFreeze -= chunk.length
      if (bytesUntilFreeze <= 0) freeze()
    })
    from.on('end', () => to.end())
    from.on('close', () => {
      sockets.delete(from)
      lines.delete(line)
      // Nobody hears of the end of a connection that was cut.
      if (!line.isDead) to.destroy()
    })
  }

  function freeze(): void {
    state = 'frozen'
    bytesUntilFreeze = Infinity
    for (const line of lines) pause(line)
  }

  function closeAll(): void {
    bytesUntilClose = Infinity
    for (const socket of sockets) socket.destroy()
    closed.resolve()
  }

  async function vanish(): Promise<void> {
    closeAll()
    if (!server.listening) return
    server.close()
    await once(server, 'close')
  }

  async function listen(port: number): Promise<void> {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }

  await listen(0)
  const { port } = server.address() as AddressInfo
  owner.after(vanish)
  return {
    port,
    freeze,
    thaw() {
      state = 'open'
      for (const line of lines) if (!line.isDead) resume(line)
    },
    cut() {
      state = 'cut'
      for (const line of lines) {
        line.isDead = true
        pause(line)
      }
    },
    mend() {
      state = 'open'
    },
    vanish,
    comeBack: () => listen(port),
    freezeAfter(bytes) {
      bytesUntilFreeze = bytes
    },
    closeAfter(bytes) {
      bytesUntilClose = bytes
      closed = Promise.withResolvers<void>()
      return closed.promise
    },
  }
}

function pause({ client, upstream }: Line): void {
  client.pause()
  upstream.pause()
}

function resume({ client, upstream }: Line): void {
  client.resume()
  upstream.resume()
}

/** Returns the address of a server as it is reached through the proxy. */
export function throughProxy(url: string, { port }: TcpProxy): string {
  return Object.assign(new URL(url), { port: String(port) }).href
}
