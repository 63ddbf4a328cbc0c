import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Target } from '../program/target.ts'

/** Connections that are opened at once. */
const AT_ONCE = 64

/** Spectators of a share: connections that receive a stream and read nothing of it but its size. */
export class Spectators {
  #sockets: Socket[] = []
  bytes = 0
  readonly #target: Target
  readonly #head: string

  /** @param what the events of the share, uncompressed, or its frames, compressed as browsers get them */
  constructor(target: Target, shareToken: string, what: 'events' | 'frames' = 'events') {
    this.#target = target
    const [query, encoding] = what === 'events' ? ['', ''] : ['?frames=bytes', 'Accept-Encoding: gzip\r\n']
    this.#head = `GET /shares/${shareToken}/live${query} HTTP/1.1\r\nHost: localhost\r\n${encoding}`
  }

  get count(): number {
    return this.#sockets.length
  }

  /** Opens streams until there are `count`. Each has received its first events. */
  async growTo(count: number): Promise<void> {
    while (this.count < count) {
      const more = Math.min(AT_ONCE, count - this.count)
      this.#sockets.push(...(await Promise.all(Array.from({ length: more }, () => this.#open()))))
    }
  }

  /** Closes streams until there are `count`. The server notices within a second. */
  async shrinkTo(count: number): Promise<void> {
    const leaving = this.#sockets.splice(count)
    for (let i = 0; i < leaving.length; i += AT_ONCE) {
      await Promise.all(leaving.slice(i, i + AT_ONCE).map((socket) => once(socket.destroy(), 'close')))
    }
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  async #open(): Promise<Socket> {
    const socket = connect(Number(new URL(this.#target.url).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(`${this.#head}Accept: text/event-stream\r\n\r\n`)
    const [head] = (await once(socket, 'data')) as [Buffer]
    const status = head.toString('latin1', 9, 12)
    if (status !== '200') throw new Error(`${this.#target.name} answered ${status} to spectator ${this.count + 1}`)
    socket.on('data', (data: Buffer) => {
      this.bytes += data.length
    })
    return socket
  }
}
