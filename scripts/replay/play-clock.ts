import { setTimeout as wait } from 'node:timers/promises'

/** Converts playing time to real waiting time. */
export type PlayClock = {
  /** Waits until a moment of the track, in milliseconds of playing time. Returns at once if it has passed. */
  until(playMs: number): Promise<void>
  /** Waits for a duration of playing time. */
  pass(playMs: number): Promise<void>
  /** Waits for a duration of real time. */
  wait(realMs: number): Promise<void>
}

/**
 * Creates a clock that starts now and runs `speed` times as fast as real time. With Infinity it never waits for the
 * track.
 */
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
