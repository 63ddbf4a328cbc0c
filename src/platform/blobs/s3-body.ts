import { Readable } from 'node:stream'
import { blobsUnavailable, translateBlobFailure } from './blob-failure.ts'

/** Time without a byte, while somebody waits for the next one, after which a body is given up. */
const STALLED_AFTER_MS = 5000

/**
 * Returns the body of a response as a stream that fails with UNAVAILABLE when the server stops in the middle of it.
 * Only the time is counted for which the reader waits: a slow reader may pause for as long as the connection lasts.
 */
export function guardBody(body: Readable, stalledAfterMs = STALLED_AFTER_MS): Readable {
  let stalled: NodeJS.Timeout | undefined

  const guarded = new Readable({
    read() {
      stalled ??= setTimeout(() => {
        guarded.destroy(blobsUnavailable('The storage took too long.'))
      }, stalledAfterMs)
      body.resume()
    },
    destroy(error, done) {
      clearTimeout(stalled)
      body.destroy()
      done(error)
    },
  })
  body.on('data', (chunk: Uint8Array) => {
    stalled = void clearTimeout(stalled)
    if (!guarded.push(chunk)) body.pause()
  })
  body.on('end', () => {
    stalled = void clearTimeout(stalled)
    guarded.push(null)
  })
  body.on('error', (error) => guarded.destroy(translateBlobFailure(error) as Error))
  body.pause()
  // A reader that leaves closes the connection. That is an error, and possibly nobody handles it.
  return guarded.on('error', () => {})
}
