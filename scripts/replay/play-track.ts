import type { ActivityPoint } from '../activity-file/activity-file.ts'
import type { PointRange } from './cut-batches.ts'
import type { PlannedRequest } from './planned-request.ts'
import type { PlayClock } from './play-clock.ts'
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
