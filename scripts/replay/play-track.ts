import { setTimeout as wait } from 'node:timers/promises'
import type { ActivityPoint } from '../activity-file/activity-file.ts'
import type { PlannedRequest, PointRange } from './batches.ts'
import type { TrackClient } from './track-client.ts'

/** Called when points are sent, possibly again, and when the server has accepted them. */
export type PlayListener = { sending(range: PointRange): void; taken(range: PointRange): void }

/** Sends the points of a track as planned, one request after the other, each at its time. */
export async function playTrack(
  points: readonly ActivityPoint[],
  plan: readonly PlannedRequest[],
  { id, client, clock, listener }: { id: string; client: TrackClient; clock: PlayClock; listener: PlayListener },
): Promise<void> {
  for (const request of plan) {
    await clock.until(request.dueMs)
    listener.sending(request)
    await client.addPoints(id, points.slice(request.from, request.to), request.losses)
    listener.taken(request)
  }
}

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
