import type { IncomingMessage } from 'node:http'
import { AppError } from '../../errors.ts'
import { bodyTooSlow } from './body-speed.ts'

/** Maximum bytes and time for discarding a body that nobody reads, after which the connection is closed. */
const DRAIN_LIMIT_BYTES = 256 * 1_048_576
const DRAIN_TIME_LIMIT_MS = 30_000
/** Interval at which both limits are enforced. */
const CHECK_EVERY_MS = 250
/**
 * Time that the response waits for the body. A client that asked to close the connection after the response would be
 * cut off while it is sending, and never see the response. Most bodies have arrived by then.
 */
const ANSWER_WITHIN_MS = 500

const discarded = new WeakSet<IncomingMessage>()

/**
 * Reads and discards the rest of a body that was refused with `error`, within limits, so that a client that is still
 * sending sees the response. Closing the connection at once would reset it. Resolves when it is
 * time to respond; the rest is read meanwhile.
 */
export async function drainBody(request: IncomingMessage, error: unknown): Promise<void> {
  // Nothing to wait for if the body is complete or the connection closed, or nothing arrives anyway.
  if (request.closed || request.complete || isTooSlow(error)) return
  limitUnreadBody(request)
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

/**
 * Closes the connection of a request if the rest of its body does not end within the limits. To be called for a
 * response that did not wait for the body: Node.js would go on discarding it for as long as bytes arrive.
 */
export function limitUnreadBody(request: IncomingMessage): void {
  if (request.closed || discarded.has(request)) return
  discarded.add(request)
  const { socket } = request
  const bytesBefore = socket.bytesRead
  const startedAtMs = performance.now()
  const timer = setInterval(() => {
    const isOver = request.complete || socket.destroyed
    const isTooMuch = socket.bytesRead - bytesBefore > DRAIN_LIMIT_BYTES
    const isTooLong = performance.now() - startedAtMs > DRAIN_TIME_LIMIT_MS
    if (!isOver && (isTooMuch || isTooLong)) socket.destroy()
    if (isOver || isTooMuch || isTooLong) clearInterval(timer)
  }, CHECK_EVERY_MS).unref()
}

function isTooSlow(error: unknown): boolean {
  return error instanceof AppError && error.code === bodyTooSlow.code
}
