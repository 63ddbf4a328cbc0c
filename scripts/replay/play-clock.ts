import { setTimeout as wait } from 'node:timers/promises'

/** Turns playing time into waiting. */
export type PlayClock = {
  /** Waits for a moment of the track, in milliseconds of playing time; not at all when it is past. */
  until(playMs: number): Promise<void>
  /** Waits for a length of playing time. */
  pass(playMs: number): Promise<void>
  /** Waits for real time, whatever the speed. */
  wait(realMs: number): Promise<void>
}

/** A clock that starts now and runs `speed` times as fast as the real one; Infinity never waits for the track. */
export function startPlayClock(speed: number, signal: AbortSignal): PlayClock {
  const startedMs = performance.now()
  const clock: PlayClock = {
    until: async (playMs) => await clock.wait(startedMs + playMs / speed - performance.now()),
    pass: async (playMs) => await clock.wait(playMs / speed),
    wait: async (realMs) => {
      signal.throwIfAborted()
      if (realMs > 0) await wait(realMs, undefined, { signal })
    },
  }
  return clock
}
