import { pickPoints } from '../points/point-columns.ts'
import { rawPointsJson } from '../representations/raw-points-json.ts'
import { seriesJson } from '../representations/series-json.ts'
import { splitsJson } from '../representations/splits-json.ts'
import { examineTrack } from '../statistics/examined-track.ts'
import { leftOutPoints } from '../statistics/left-out-points.ts'
import { computeSplits } from '../statistics/splits.ts'
import { computeSeries } from '../statistics/track-series.ts'
import { throwIfAbandoned } from './abandonment.ts'
import { decodeTrack, type TrackPoints } from './points-task.ts'

/** A view of the points of a track. */
export type ProfileView =
  | { name: 'series'; maxPoints: number; withLeftOut: boolean }
  | { name: 'splits' }
  | { name: 'raw-points'; from: number; limit: number }

export type ProfileTask = TrackPoints & { kind: 'profile'; trackId: string; view: ProfileView }

/**
 * Writes a view of a track as JSON, in the thread that computes it: writing a long series takes several milliseconds.
 * @throws ChunkDamagedError; Error if the task is abandoned
 */
export function writeProfile({ trackId, view, ...task }: Omit<ProfileTask, 'kind'>): Uint8Array {
  const points = decodeTrack(task)
  throwIfAbandoned(task.abandonment)
  const track = examineTrack(points, task.pauses, task.settings)
  throwIfAbandoned(task.abandonment)
  return new TextEncoder().encode(JSON.stringify(profileJson()))

  function profileJson(): object {
    if (view.name === 'splits') return splitsJson(trackId, computeSplits(track, task.settings))
    if (view.name === 'series') {
      return seriesJson(trackId, computeSeries(points, track, view.maxPoints), { withLeftOut: view.withLeftOut })
    }
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
}
