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

/** Encoded bytes up to which tasks run in the calling thread: they take a few milliseconds, not worth waking a thread. */
const INLINE_BYTES = 32_768
/** Idle threads except one end after this time: starting a thread takes longer than most tasks. */
const IDLE_MS = 30_000

/** Memory limit of a thread's JavaScript; points are in typed arrays outside of it. */
const MAX_HEAP_MB = 1_024

/** Name of the worker's function that runs a task. */
const RUN = { name: 'runTask' }

/** Worker threads for tasks that would block requests. */
export type PointsPool = {
  statistics(task: Omit<StatisticsTask, 'kind'>): Promise<TrackStatistics>
  series(task: Omit<SeriesTask, 'kind'>): Promise<TrackSeriesColumns>
  splits(task: Omit<SplitsTask, 'kind'>): Promise<TrackSplit[]>
  rawPoints(task: Omit<RawPointsTask, 'kind'>): Promise<RawPoints>
  merge(task: Omit<MergeTask, 'kind'>): Promise<MergedChunk[]>
  /** Makes the first tasks as fast as later ones. It runs in the background. */
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
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
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
