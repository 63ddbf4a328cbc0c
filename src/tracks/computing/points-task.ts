import { decodeChunk } from '../chunks/chunk-codec.ts'
import type { Pause } from '../domain/pauses.ts'
import { type PointColumns, pickPoints } from '../points/point-columns.ts'
import { concatColumns } from '../points/point-set.ts'
import { examineTrack } from '../statistics/examined-track.ts'
import { leftOutPoints } from '../statistics/left-out-points.ts'
import { computeSplits, type TrackSplit } from '../statistics/splits.ts'
import { computeStatistics, type StatisticsSettings, type TrackStatistics } from '../statistics/statistics.ts'
import { computeSeries, type TrackSeriesColumns } from '../statistics/track-series.ts'

/** A task on the encoded chunks of a track, in time order, that is too long for the thread that answers requests. */
export type StatisticsTask = {
  kind: 'statistics'
  chunks: Uint8Array[]
  pauses: readonly Pause[]
  settings: StatisticsSettings
}
export type MergeTask = { kind: 'merge'; chunks: Uint8Array[] }
/** A task for a series, splits or raw points. */
export type ProfileTask = Omit<StatisticsTask, 'kind'>
export type SeriesTask = ProfileTask & { kind: 'series'; maxPoints: number }
export type SplitsTask = ProfileTask & { kind: 'splits' }
export type RawPointsTask = ProfileTask & { kind: 'raw-points'; from: number; limit: number }
/** Runs the code a few times, which makes it several times as fast. */
export type WarmUpTask = { kind: 'warm-up' }

/** Computes the statistics of a track. @throws ChunkDamagedError */
export function computeTrackStatistics({ chunks, pauses, settings }: Omit<StatisticsTask, 'kind'>): TrackStatistics {
  return computeStatistics(concatColumns(chunks.map(decodeChunk)), pauses, settings)
}

/** Computes the series for a map and profiles, at most `maxPoints` points in columns. @throws ChunkDamagedError */
export function computeTrackSeries({ maxPoints, ...task }: Omit<SeriesTask, 'kind'>): TrackSeriesColumns {
  const { points, track } = examine(task)
  return computeSeries(points, track, maxPoints)
}

/** Computes the kilometre splits. @throws ChunkDamagedError */
export function computeTrackSplits(task: Omit<SplitsTask, 'kind'>): TrackSplit[] {
  return computeSplits(examine(task).track, task.settings)
}

/** Points as they were sent, each with the code of the reason why statistics leave it out. */
export type RawPoints = { total: number; points: PointColumns; leftOut: Uint8Array }

/** Returns at most `limit` points from an index on. @throws ChunkDamagedError */
export function findRawPoints({ from, limit, ...task }: Omit<RawPointsTask, 'kind'>): RawPoints {
  const { points, track } = examine(task)
  const start = Math.min(from, points.count)
  const end = Math.min(points.count, start + limit)
  // A copy: a view would transfer all of its memory to the other thread.
  const indexes = Uint32Array.from({ length: end - start }, (_, i) => start + i)
  const leftOut = leftOutPoints(points, track).slice(start, end)
  return { total: points.count, points: pickPoints(points, indexes), leftOut }
}

function examine({ chunks, pauses, settings }: ProfileTask) {
  const points = concatColumns(chunks.map(decodeChunk))
  return { points, track: examineTrack(points, pauses, settings) }
}
