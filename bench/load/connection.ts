import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A response: its status, and the bytes of its head and body. */
export type Answer = { status: number; bytes: number }

type Waiting = { resolve(answer: Answer): void; reject(error: Error): void }

const HEAD_END = '\r\n\r\n'
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

/**
 * A kept-alive HTTP connection with minimal cost, so that on a machine with few cores the benchmark measures the server
 * and not the client. It sends one request at a time, and reads only the status and the end of the response.
 */
export class Connection {
  readonly #socket: Socket
  #waiting: Waiting | undefined
  #status = 0
  #bytes = 0
  /** Total bytes of the response; undefined until the head has arrived, and for chunked responses. */
  #expected: number | undefined
  #tail = Buffer.alloc(0)

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', (data: Buffer) => this.#receive(data))
    socket.on('error', (error) => this.#waiting?.reject(error))
    socket.on('close', () => this.#waiting?.reject(new Error('The server closed the connection')))
  }

  static async open(url: string): Promise<Connection> {
    const { port } = new URL(url)
    const socket = connect(Number(port), '127.0.0.1')
    await once(socket, 'connect')
    return new Connection(socket)
  }

  /** True once the server has closed it, as it does after a while without a request. */
  get isClosed(): boolean {
    return this.#socket.closed || this.#socket.readyState !== 'open'
  }

  exchange(request: Buffer): Promise<Answer> {
    if (this.#waiting !== undefined) throw new Error('The request before has no answer yet')
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      this.#socket.write(request)
    })
  }

  close(): void {
    this.#waiting = undefined
    this.#socket.destroy()
  }

  #receive(data: Buffer): void {
    if (this.#bytes === 0) this.#readHead(data)
    this.#bytes += data.length
    if (this.#expected === undefined ? this.#sawLastChunk(data) : this.#bytes >= this.#expected) this.#finish()
  }

  /** On the loopback interface, the head of a response arrives in one piece. */
  #readHead(data: Buffer): void {
    const head = data.toString('latin1', 0, Math.min(data.length, 2048))
    const bodyAt = head.indexOf(HEAD_END) + HEAD_END.length
    this.#status = Number(head.slice(9, 12))
    const length = /\ncontent-length: (\d+)/i.exec(head.slice(0, bodyAt))
    if (this.#status === 204) this.#expected = bodyAt
    else if (length !== null) this.#expected = bodyAt + Number(length[1])
  }

  #sawLastChunk(data: Buffer): boolean {
    this.#tail = Buffer.concat([this.#tail, data.subarray(-LAST_CHUNK.length)]).subarray(-LAST_CHUNK.length)
    return this.#tail.equals(LAST_CHUNK)
  }

  #finish(): void {
    const waiting = this.#waiting
    const answer = { status: this.#status, bytes: this.#bytes }
    this.#waiting = undefined
    this.#bytes = 0
    this.#expected = undefined
    this.#tail = Buffer.alloc(0)
    waiting?.resolve(answer)
  }
}
