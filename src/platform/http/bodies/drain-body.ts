import type { IncomingMessage } from 'node:http'

/** How much of a refused body is read and dropped, and for how long, before the connection is cut. */
const DRAIN_LIMIT_BYTES = 512 * 1_048_576
const DRAIN_TIME_LIMIT_MS = 30_000
/**
 * How long the answer waits for it: a client that asked to close the connection after the answer would be cut off by it
 * while sending, and never see it. Most bodies have come by then.
 */
const ANSWER_WITHIN_MS = 500

/**
 * Reads and drops what is still to come of a refused body: a client that is busy sending gets to see the answer, where
 * closing the connection at once would reset it under the client. Patience has an end.
 * Resolves when it is time to answer; the rest is read in the meantime.
 */
export async function drainBody(request: IncomingMessage): Promise<void> {
  // What has come already is not waited for, and a process that ends does not wait either.
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
