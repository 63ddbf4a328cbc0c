import { ChunkDamagedError } from '../chunks/chunk-damaged-error.ts'
import { replayLineJson } from '../representations/replay-json.ts'
import { computeReplayLine, type ReplayLine, type ReplayPart } from '../statistics/replay/replay-line.ts'
import { type Abandonment, throwIfAbandoned } from './abandonment.ts'
import { decodeTrack, type TrackPoints } from './points-task.ts'

/** A track of a replay. Its points are read only for the task. */
export type ReplayTrackPoints = Omit<TrackPoints, 'abandonment'> & { part: ReplayPart }

/** Several tracks of a replay: one task for each would cost more in messages than in work. */
export type ReplayTask = { kind: 'replay'; tracks: ReplayTrackPoints[]; abandonment?: Abandonment }

/**
 * Returns the lines of tracks for a replay, each as members of a JSON object without its braces, in the order of the
 * tracks; undefined for a track of which nothing is shown. A track whose points are damaged does not end the replay of
 * all others. `admin storage verify` finds it.
 * @throws Error if the task is abandoned
 */
export function writeReplayLines({ tracks, abandonment }: Omit<ReplayTask, 'kind'>): (Uint8Array | undefined)[] {
  return tracks.map(({ part, ...track }) => {
    const line = readLine({ ...track, abandonment }, part)
    if (line === undefined || line.timeMs.length === 0) return undefined
    return new TextEncoder().encode(JSON.stringify(replayLineJson(line)).slice(1, -1))
  })
}

function readLine(track: TrackPoints, part: ReplayPart): ReplayLine | undefined {
  try {
    const points = decodeTrack(track)
    throwIfAbandoned(track.abandonment)
    return computeReplayLine(points, track.pauses, track.settings, part)
  } catch (err) {
    if (err instanceof ChunkDamagedError) return undefined
    throw err
  }
}
