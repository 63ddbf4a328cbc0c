import { Readable } from 'node:stream'

/** The bytes of a source as a store takes them, and what the source itself failed with. */
export type SourceBytes = {
  bytes: AsyncGenerator<Uint8Array, void, void>
  /** How many bytes have come so far. */
  size(): number
  /** The source's own error where there was one, for its words are not those of the store; else that of the store. */
  failureOr(error: unknown, translate: (error: unknown) => unknown): unknown
}

/**
 * Reads a source without ever destroying it: a request whose body could not be stored still has to be answered, on the
 * same connection.
 */
export function readSource(source: AsyncIterable<Uint8Array>): SourceBytes {
  let size = 0
  let failure: { error: unknown } | undefined

  async function* bytes() {
    const chunks = source instanceof Readable ? source.iterator({ destroyOnReturn: false }) : source
    const iterator: AsyncIterator<Uint8Array> = chunks[Symbol.asyncIterator]()
    try {
      for (;;) {
        // Only what is thrown here is the source's: whoever reads can throw into the `yield`, too.
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
