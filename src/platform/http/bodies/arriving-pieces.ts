import type { Readable } from 'node:stream'
import { releaseBytes } from '../../release-bytes.ts'

/**
 * Yields a body in the pieces in which it arrives. A piece is released when the next one is requested. What is
 * left when the caller stops stays unread.
 * @param refused ends the body with its error as soon as it rejects
 * @param brokenOff makes the error of a body whose connection fails
 */
export async function* arrivingPieces(
  body: Readable,
  refused: Promise<never>,
  brokenOff: (options: { cause: unknown }) => Error,
): AsyncGenerator<Buffer, void, void> {
  const pieces = body.iterator({ destroyOnReturn: false })
  let isRefused = false
  refused.catch(() => {
    isRefused = true
  })
  try {
    for (;;) {
      const piece = pieces.next().catch((cause: unknown) => {
        throw brokenOff({ cause })
      })
      const next = await Promise.race([piece, refused])
      if (next.done === true) return
      yield next.value
      releaseBytes(next.value)
    }
  } finally {
    // The iterator would wait for the piece that does not arrive.
    if (!isRefused) await pieces.return?.()
  }
}
