import { setTimeout as wait } from 'node:timers/promises'
import { readProcessorTime, timeBetween } from './processor-time.ts'

/** A process does nothing when it takes less than this share of a processor. */
const QUIET_SHARE = 0.03
const LOOK_EVERY_MS = 250

/**
 * Waits until a process has nothing to do for `quietMs`, at most `withinMs`.
 * @returns the time at which it was last seen at work, on the clock of `performance.now()`
 */
export async function untilQuiet(pid: number, quietMs: number, withinMs: number): Promise<number> {
  const deadlineMs = performance.now() + withinMs
  let busyMs = performance.now()
  for (let before = readProcessorTime(pid); performance.now() < deadlineMs; ) {
    await wait(LOOK_EVERY_MS)
    const now = readProcessorTime(pid)
    if (timeBetween(before, now).totalUs >= QUIET_SHARE * LOOK_EVERY_MS * 1000) busyMs = performance.now()
    else if (performance.now() - busyMs >= quietMs) break
    before = now
  }
  return busyMs
}
