import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Interval of looks whether the process is idle. */
const LOOK_EVERY_MS = 2000

/** Share of its time that the thread of an idle process is busy at most. */
const IDLE_SHARE = 0.05

/**
 * Returns to the system what a start leaves behind: once, as soon as the process is idle. Loading
 * code lets V8's space for new objects grow to 64 MiB, and V8 keeps it for good. The collection
 * blocks the thread for about a tenth of a second.
 */
export function returnMemoryOfStart(lookEveryMs = LOOK_EVERY_MS): void {
  let before = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(before)
    before = performance.eventLoopUtilization()
    if (utilization > IDLE_SHARE) return
    clearInterval(timer)
    collectEverything()
  }, lookEveryMs).unref()
}

/** Collects as V8 does when memory runs out, the only way in which it gives up space for new objects. */
function collectEverything(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options: object) => void
  setFlagsFromString('--no-expose-gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
