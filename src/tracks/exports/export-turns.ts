import { setImmediate as turnOfEventLoop } from 'node:timers/promises'

/** Pieces are joined up to this length: sending one costs more than its bytes. */
const MIN_BUFFER_BYTES = 65_536

/**
 * Lets the exports of this process format their pieces in turn, one in each turn of the event loop, so that the
 * requests of phones wait for one piece at most, however many exports run.
 */
export class ExportTurns {
  #last: Promise<unknown> = Promise.resolve()

  /** Yields the pieces as bytes, each formatted when it is its turn. */
  async *bytes(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<Buffer> {
    let joined: Uint8Array[] = []
    let length = 0
    for await (const piece of pieces) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
      joined.push(bytes)
      length += bytes.length
      if (length >= MIN_BUFFER_BYTES) {
        yield Buffer.concat(joined, length)
        joined = []
        length = 0
      }
      await this.#next()
    }
    if (length > 0) yield Buffer.concat(joined, length)
  }

  async #next(): Promise<void> {
    const turn = this.#last.then(() => turnOfEventLoop())
    this.#last = turn
    await turn
  }
}
