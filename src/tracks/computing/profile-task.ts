import { type PointColumns, pickPoints } from '../points/point-columns.ts'
import { pointsWithin } from '../points/point-set.ts'
import { rawPointsJson } from '../representations/raw-points-json.ts'
import { seriesJson } from '../representations/series-json.ts'
import { splitsJson } from '../representations/splits-json.ts'
import { type ExaminedTrack, examineTrack } from '../statistics/examined-track.ts'
import { leftOutPoints } from '../statistics/left-out-points.ts'
import { computeSplits } from '../statistics/splits.ts'
import { computeSeries } from '../statistics/track-series.ts'
import { trimmedEnds } from '../statistics/trimmed-ends.ts'
import { throwIfAbandoned } from './abandonment.ts'
import { decodeTrack, type ShownTrackPoints } from './points-task.ts'

/** A view of the points of a track. */
export type ProfileView =
  | { name: 'series'; maxPoints: number; for: 'operator' | 'spectator' }
  | { name: 'splits'; meters: number }
  | { name: 'raw-points'; from: number; limit: number }

export type ProfileTask = ShownTrackPoints & { kind: 'profile'; trackId: string; view: ProfileView }

/**
 * Writes a view of a track as JSON, in the thread that computes it: writing a long series takes several milliseconds.
 * @throws ChunkDamagedError; Error if the task is abandoned
 */
export function writeProfile({ trackId, view, ...task }: Omit<ProfileTask, 'kind'>): Uint8Array {
  const points = decodeTrack(task)
  throwIfAbandoned(task.abandonment)
  // Whoever reads raw points wants what was sent. Everything else describes the shown part.
  const described = view.name === 'raw-points' ? points : pointsWithin(points, task.shown)
  const track = examineTrack(described, task.pauses, task.settings)
  throwIfAbandoned(task.abandonment)
  return new TextEncoder().encode(JSON.stringify(profileJson()))

  function profileJson(): object {
    if (view.name === 'splits') {
      return splitsJson(trackId, view.meters, computeSplits(track, task.settings, view.meters))
    }
    if (view.name === 'raw-points') return pageOfRawPoints(trackId, view, points, track)
    const series = computeSeries(described, track, view.maxPoints)
    // Outliers and trimmed ends are for operators, not for spectators.
    const hidden = view.for === 'operator' ? trimmedEnds(points, task.shown, task.settings) : undefined
    return seriesJson(trackId, series, hidden)
  }
}

function pageOfRawPoints(
  trackId: string,
  view: Extract<ProfileView, { name: 'raw-points' }>,
  points: PointColumns,
  track: ExaminedTrack,
): object {
  const from = Math.min(view.from, points.count)
  const to = Math.min(points.count, view.from + view.limit)
  const indexes = Uint32Array.from({ length: to - from }, (_, i) => from + i)
  const leftOut = leftOutPoints(points, track).subarray(from, to)
  return rawPointsJson(trackId, {
    total: points.count,
    from: view.from,
    points: pickPoints(points, indexes),
    leftOut,
  })
}
