import { Piscina } from 'piscina'
import type { EncodedChunk } from '../chunks/merge-chunks.ts'
import type { TrackStatistics } from '../statistics/statistics.ts'
import { computeTrackStatistics, type MergeTask, type TrackPoints } from './points-task.ts'
import type { ProfileTask } from './profile-task.ts'

/** Encoded bytes up to which tasks run in the calling thread: they take a few milliseconds, not worth waking a thread. */
const INLINE_BYTES = 32_768
/** Idle threads except one end after this time: starting a thread takes longer than most tasks. */
const IDLE_MS = 30_000

/** Memory limit of a thread's JavaScript; points are in typed arrays outside of it. */
const MAX_HEAP_MB = 1_024

/** Name of the worker's function that runs a task. */
const RUN = { name: 'runTask' }

/** Worker threads for tasks that would block requests. `ComputingTurns` bounds how many tasks it gets. */
export type PointsPool = {
  /** Computes statistics; those of a short track in the calling thread, if it may. */
  statistics(task: TrackPoints, inline: 'inline if short' | 'in a thread'): Promise<TrackStatistics>
  profile(task: Omit<ProfileTask, 'kind'>): Promise<Uint8Array>
  merge(task: Omit<MergeTask, 'kind'>): Promise<EncodedChunk[]>
  /** Makes the first tasks as fast as later ones. It runs in the background. */
  warmUp(): Promise<void>
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
    async statistics(task, inline) {
      if (inline === 'inline if short' && isShort(task)) return computeTrackStatistics(task)
      return await pool.run({ kind: 'statistics', ...task }, RUN)
    },
    async profile(task) {
      return await pool.run({ kind: 'profile', ...task }, RUN)
    },
    async merge(task) {
      return await pool.run({ kind: 'merge', ...task }, RUN)
    },
    async warmUp() {
      await pool.run({ kind: 'warm-up' }, RUN)
    },
    async close() {
      await pool.close()
    },
  }
}

function isShort({ chunks }: TrackPoints): boolean {
  return chunks.reduce((sum, chunk) => sum + chunk.length, 0) <= INLINE_BYTES
}
