import { backOffMs } from './back-off.ts'

/** A request with few points gets through where a large one does not. */
const LEAST_POINTS = 50

/** The size and form of the next request with points. */
export type Pace = ReturnType<typeof createPace>

/**
 * Creates what the sender learns from answers. It is not stored: after a restart, the next answers teach it again.
 * @param random returns a number from 0 up to 1
 */
export function createPace(maxPoints: number, random: () => number) {
  let failures = 0
  let limit = maxPoints
  /** Largest number of points that no answer has called too large. */
  let ceiling = maxPoints
  let isLenient = false
  let mayBeLenient = true

  return {
    /** Most points in the next request. Grows with successes. */
    get limit() {
      return limit
    },
    /** Asks the server to leave bad points out of the next request. */
    get isLenient() {
      return isLenient
    },
    /** Returns whether the next request may be lenient, and makes it so. */
    beLenient(): boolean {
      isLenient = mayBeLenient && !isLenient
      return isLenient
    },
    beStrict() {
      isLenient = false
    },
    grow() {
      limit = Math.min(ceiling, limit * 2)
    },
    /** Looks for bad points in halves of what was sent. */
    bisect(sentPoints: number) {
      limit = Math.ceil(sentPoints / 2)
    },
    tooLarge(sentPoints: number) {
      ceiling = Math.max(1, Math.floor(sentPoints / 2))
      limit = ceiling
    },
    answered() {
      failures = 0
    },
    /** Notes a failure. Some networks and browsers refuse requests with a header that they do not know. */
    failed(wasSlow: boolean, sentPoints: number) {
      if (wasSlow) limit = Math.max(Math.min(LEAST_POINTS, limit), Math.floor(sentPoints / 2))
      if (isLenient) mayBeLenient = false
      isLenient = false
    },
    /** Returns the wait before the next attempt, longer each time. */
    nextWaitMs(): number {
      failures++
      return backOffMs(failures, random())
    },
    /** Forgets failures, as when the token has changed. */
    reset() {
      failures = 0
      mayBeLenient = true
    },
  }
}
