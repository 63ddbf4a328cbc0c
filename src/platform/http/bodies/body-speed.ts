import type { IncomingMessage } from 'node:http'
import { defineError } from '../../errors.ts'

export const bodyTooSlow = defineError('REQUEST_TIMEOUT', 408, 'The body did not arrive in time.')

/**
 * Slowest speed at which a body may arrive, judged over each window. GPRS, the slowest network a phone meets, carries 1
 * to 5 kB per second and is silent for some seconds at every handover, so such a phone gets through. A body that
 * trickles holds its connection and its memory no longer than the window.
 */
const LEAST_BYTES_PER_SEC = 250
const WINDOW_MS = 30_000
const CHECK_EVERY_MS = 2000

const LEAST_BYTES_PER_WINDOW = (LEAST_BYTES_PER_SEC * WINDOW_MS) / 1000

/** A body that is arriving. */
type ArrivingBody = {
  readonly request: IncomingMessage
  readonly refuse: (error: Error) => void
  /** Beginning of the window, and what the connection had received by then; 0 before the first check. */
  sinceMs: number
  bytesBefore: number
}

/** One timer looks at all bodies, because a timer for each costs more than a small body does. */
const arriving = new Set<ArrivingBody>()
let timer: NodeJS.Timeout | undefined
let checkedAtMs = 0

/**
 * Calls `refuse` once, with `bodyTooSlow`, if the body of a request arrives too slowly. To be ended with `endWatch`.
 */
export function watchSpeed(request: IncomingMessage, refuse: (error: Error) => void): ArrivingBody {
  const body = { request, refuse, sinceMs: 0, bytesBefore: 0 }
  arriving.add(body)
  if (timer === undefined) startChecks()
  return body
}

export function endWatch(body: ArrivingBody): void {
  arriving.delete(body)
}

function startChecks(): void {
  checkedAtMs = performance.now()
  timer = setInterval(() => {
    checkAll(performance.now())
    if (arriving.size > 0) return
    clearInterval(timer)
    timer = undefined
  }, CHECK_EVERY_MS).unref()
}

function checkAll(nowMs: number): void {
  // The process itself was held up, and has not read what has arrived meanwhile.
  const wasLate = nowMs - checkedAtMs > 2 * CHECK_EVERY_MS
  checkedAtMs = nowMs
  for (const body of arriving) {
    const { request, sinceMs, bytesBefore, refuse } = body
    const { bytesRead } = request.socket
    // Unread bytes wait for us, such as for a slow disk, and not for the client.
    if (sinceMs === 0 || wasLate || request.complete || request.readableLength > 0) startWindow(body, nowMs, bytesRead)
    else if (nowMs - sinceMs < WINDOW_MS) continue
    else if (bytesRead - bytesBefore >= LEAST_BYTES_PER_WINDOW) startWindow(body, nowMs, bytesRead)
    else {
      arriving.delete(body)
      refuse(tooSlow())
    }
  }
}

function startWindow(body: ArrivingBody, nowMs: number, bytesRead: number): void {
  body.sinceMs = nowMs
  body.bytesBefore = bytesRead
}

/** The rest of the body may never arrive, so the connection is of no use for another request. */
function tooSlow() {
  return bodyTooSlow({
    detail: `The body arrived at less than ${LEAST_BYTES_PER_SEC} bytes per second.`,
    headers: { connection: 'close' },
  })
}
