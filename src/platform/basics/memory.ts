import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { ticking } from './timers.ts'

/** Interval of looks whether the process is idle. */
const LOOK_EVERY_MS = 2000

/** Share of its time that the thread of an idle process is busy at most. */
const IDLE_SHARE = 0.05

/**
 * Returns the memory of a start to the system: once, as soon as the process is idle. Loading code lets V8's space for
 * new objects grow to 64 MiB, and V8 keeps it for good. The collection blocks the thread for about a tenth of a second.
 */
export function returnMemoryOfStart(lookEveryMs = LOOK_EVERY_MS): void {
  let before = performance.eventLoopUtilization()
  const stop = ticking(lookEveryMs, () => {
    const { utilization } = performance.eventLoopUtilization(before)
    before = performance.eventLoopUtilization()
    if (utilization > IDLE_SHARE) return
    stop()
    collectEverything()
  })
}

/** Collects as V8 does when memory runs out, the only way in which it gives up space for new objects. */
function collectEverything(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options: object) => void
  setFlagsFromString('--no-expose-gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/**
 * Gives the memory of bytes back at once, if nothing else shares it; they are empty afterwards. For callers with the
 * only reference to them. Memory outside of its own heap drives the garbage collector of V8: a body of 100 MB that is
 * left to it brings on four collections of the whole heap, which take more time than storing the body does.
 */
export function releaseBytes({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
