import { connect, type Socket } from 'node:net'

/** A connection on which a test sends what it likes, from an address of its own where the system has several. */
export type RawConnection = {
  socket: Socket
  /** Everything received so far. */
  received(): string
  /** Resolves with everything received once the server has closed the connection. */
  closed: Promise<string>
  /** Sends this text every so often until the connection closes. */
  trickle(text: string, everyMs: number): void
}

/** Linux answers on all of 127.0.0.0/8. Elsewhere all connections have one address. */
export const HAS_ADDRESSES = process.platform === 'linux'

/** Opens a connection to a server, and sends the beginning of a request. */
export function openRaw(url: string, text: string | Buffer = '', localAddress?: string): RawConnection {
  const { port } = new URL(url)
  const from = HAS_ADDRESSES ? localAddress : undefined
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: from, allowHalfOpen: true })
  let received = ''
  socket.setEncoding('latin1').on('data', (piece) => {
    received += piece
  })
  socket.on('error', () => {})
  socket.once('end', () => socket.end())
  const closed = new Promise<string>((resolve) => {
    socket.once('close', () => resolve(received))
  })
  if (text.length > 0) socket.write(text)
  return {
    socket,
    received: () => received,
    closed,
    trickle(piece, everyMs) {
      const timer = setInterval(() => socket.write(piece), everyMs)
      socket.once('close', () => clearInterval(timer))
    },
  }
}

/** Returns the head of a request, with the blank line. */
export function requestHead(method: string, path: string, headers: Record<string, string | number>): string {
  const lines = Object.entries({ Host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}`)
  return `${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`
}

/** Returns the status of a response, 0 if there is none. */
export function statusOf(response: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(response)?.[1] ?? 0)
}
