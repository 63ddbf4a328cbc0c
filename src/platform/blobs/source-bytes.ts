import { Readable } from 'node:stream'

/** The bytes of a source as a store reads them, and the source's own error. */
type SourceBytes = {
  bytes: AsyncGenerator<Uint8Array, void, void>
  /** Number of bytes read so far. */
  size(): number
  /** Returns the source's own error if it failed, which must not be translated, else the store's. */
  failureOr(error: unknown, translate: (error: unknown) => unknown): unknown
}

/**
 * Reads a source without destroying it: a request whose body could not be stored still gets a response on the same
 * connection.
 */
export function readSource(source: AsyncIterable<Uint8Array>): SourceBytes {
  let size = 0
  let failure: { error: unknown } | undefined

  async function* bytes() {
    const chunks = source instanceof Readable ? source.iterator({ destroyOnReturn: false }) : source
    const iterator: AsyncIterator<Uint8Array> = chunks[Symbol.asyncIterator]()
    try {
      for (;;) {
        // Only errors from here are the source's: the reader can throw into the `yield`, too.
        const next = await iterator.next().catch((error) => {
          failure = { error }
          throw error
        })
        if (next.done === true) return
        size += next.value.byteLength
        yield next.value
      }
    } finally {
      await iterator.return?.()
    }
  }

  return {
    bytes: bytes(),
    size: () => size,
    failureOr: (error, translate) => (failure === undefined ? translate(error) : failure.error),
  }
}
