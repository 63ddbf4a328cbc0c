import { Piscina } from 'piscina'
import type { MergedChunk } from '../chunks/merge-chunks.ts'
import type { TrackSplit } from '../statistics/splits.ts'
import type { TrackStatistics } from '../statistics/statistics.ts'
import type { TrackSeriesColumns } from '../statistics/track-series.ts'
import {
  computeTrackSeries,
  computeTrackSplits,
  computeTrackStatistics,
  findRawPoints,
  type MergeTask,
  type RawPoints,
  type RawPointsTask,
  type SeriesTask,
  type SplitsTask,
  type StatisticsTask,
} from './points-task.ts'

/** Coded bytes up to which statistics are computed on the spot: a few milliseconds, less than a thread's wake-up is worth. */
const INLINE_BYTES = 32_768
/** A thread without work for this long is ended, but for one: starting one takes longer than most tasks. */
const IDLE_MS = 30_000

/** The function of the worker that runs a task. */
const RUN = { name: 'runTask' }

/** Threads for what would hold up requests. */
export type PointsPool = {
  statistics(task: Omit<StatisticsTask, 'kind'>): Promise<TrackStatistics>
  series(task: Omit<SeriesTask, 'kind'>): Promise<TrackSeriesColumns>
  splits(task: Omit<SplitsTask, 'kind'>): Promise<TrackSplit[]>
  rawPoints(task: Omit<RawPointsTask, 'kind'>): Promise<RawPoints>
  merge(task: Omit<MergeTask, 'kind'>): Promise<MergedChunk[]>
  /** Makes the first tasks as fast as later ones, in the background. */
  warmUp(): Promise<void>
  queueLength(): number
  close(): Promise<void>
}

export function createPointsPool(): PointsPool {
  const pool = new Piscina({
    filename: new URL('./points-worker.ts', import.meta.url).href,
    minThreads: 1,
    maxThreads: 2,
    idleTimeout: IDLE_MS,
  })
  return {
    async statistics(task) {
      if (isShort(task)) return computeTrackStatistics(task)
      return await pool.run({ kind: 'statistics', ...task }, RUN)
    },
    async series(task) {
      if (isShort(task)) return computeTrackSeries(task)
      return await pool.run({ kind: 'series', ...task }, RUN)
    },
    async splits(task) {
      if (isShort(task)) return computeTrackSplits(task)
      return await pool.run({ kind: 'splits', ...task }, RUN)
    },
    async rawPoints(task) {
      if (isShort(task)) return findRawPoints(task)
      return await pool.run({ kind: 'raw-points', ...task }, RUN)
    },
    async merge(task) {
      return await pool.run({ kind: 'merge', ...task }, RUN)
    },
    async warmUp() {
      await pool.run({ kind: 'warm-up' }, RUN)
    },
    queueLength: () => pool.queueSize,
    async close() {
      await pool.close()
    },
  }
}

function isShort({ chunks }: { chunks: readonly Uint8Array[] }): boolean {
  return chunks.reduce((sum, chunk) => sum + chunk.length, 0) <= INLINE_BYTES
}
