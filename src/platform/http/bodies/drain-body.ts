import type { IncomingMessage } from 'node:http'

/** Maximum bytes and time for discarding a refused body, after which the connection is closed. */
const DRAIN_LIMIT_BYTES = 512 * 1_048_576
const DRAIN_TIME_LIMIT_MS = 30_000
/**
 * Time that the response waits for the body. A client that asked to close the connection after the response would be cut
 * off while it is sending, and never see the response. Most bodies have arrived by then.
 */
const ANSWER_WITHIN_MS = 500

/**
 * Reads and discards the rest of a refused body, within limits, so that a client that is still sending sees the response.
 * Closing the connection at once would reset it. Resolves when it is time to respond; the rest is read meanwhile.
 */
export async function drainBody(request: IncomingMessage): Promise<void> {
  // Nothing to wait for if the body is complete or the connection closed.
  if (request.closed || request.complete) return
  let bytes = 0
  const giveUp = setTimeout(() => request.destroy(), DRAIN_TIME_LIMIT_MS).unref()
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > DRAIN_LIMIT_BYTES) request.destroy()
  })
  request.once('close', () => clearTimeout(giveUp))
  request.resume()
  await new Promise<void>((resolve) => {
    const answer = setTimeout(resolve, ANSWER_WITHIN_MS).unref()
    for (const over of ['end', 'close', 'error']) {
      request.once(over, () => {
        clearTimeout(answer)
        resolve()
      })
    }
  })
}
