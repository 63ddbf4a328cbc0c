import { Piscina } from 'piscina'
import type { EncodedChunk } from '../chunks/merge-chunks.ts'
import type { PointColumns } from '../points/point-columns.ts'
import type { FollowedTrack } from '../race/follow-track.ts'
import type { FollowTask } from './follow-task.ts'
import {
  computeTrackFigures,
  type FiguresTask,
  type MergeTask,
  readTimesOfChunks,
  type TailsTask,
  type TimesTask,
  type TrackFigures,
  type TrackPoints,
} from './points-task.ts'
import type { ProfileTask } from './profile-task.ts'
import type { ReplayTask } from './replay-task.ts'

/**
 * Encoded bytes up to which tasks run in the calling thread: they take a few milliseconds, not worth waking a thread.
 */
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
  statistics(task: FiguresTask, inline: 'inline if short' | 'in a thread'): Promise<TrackFigures>
  profile(task: Omit<ProfileTask, 'kind'>): Promise<Uint8Array>
  replay(task: Omit<ReplayTask, 'kind'>): Promise<(Uint8Array | undefined)[]>
  /** Follows tracks along the course of their event. */
  follow(task: Omit<FollowTask, 'kind'>): Promise<FollowedTrack[]>
  merge(task: Omit<MergeTask, 'kind'>): Promise<EncodedChunk[]>
  /** Decodes the times of points, chunk by chunk; few of them in the calling thread. */
  times(task: Omit<TimesTask, 'kind'>, where: 'inline' | 'in a thread'): Promise<Float64Array[]>
  /** Decodes the ends of tracks. */
  tails(task: Omit<TailsTask, 'kind'>): Promise<PointColumns[]>
  /** Makes the first tasks as fast as later ones, once points arrive. */
  warmUp(): void
  /** Tells that points have arrived, for which tasks follow. If the pool is to be warm, a thread prepares for them. */
  expectTasks(): void
  close(): Promise<void>
}

/** Creates the pool. Its first thread starts with the first task, and stays. */
export function createPointsPool(): PointsPool {
  let pool: Piscina | undefined
  let isToBeWarm = false
  const run = (task: object) => {
    pool ??= startPool()
    return pool.run(task, RUN)
  }
  return {
    async statistics(task, inline) {
      if (inline === 'inline if short' && isShort(task)) return computeTrackFigures(task)
      return await run({ kind: 'statistics', ...task })
    },
    async profile(task) {
      return await run({ kind: 'profile', ...task })
    },
    async replay(task) {
      return await run({ kind: 'replay', ...task })
    },
    async follow(task) {
      return await run({ kind: 'follow', ...task })
    },
    async merge(task) {
      return await run({ kind: 'merge', ...task })
    },
    async times(task, where) {
      return where === 'inline' ? readTimesOfChunks(task) : await run({ kind: 'times', ...task })
    },
    async tails(task) {
      return await run({ kind: 'tails', ...task })
    },
    warmUp() {
      isToBeWarm = true
    },
    expectTasks() {
      if (!isToBeWarm) return
      isToBeWarm = false
      // Closing the pool ends it.
      run({ kind: 'warm-up' }).catch(() => {})
    },
    async close() {
      await pool?.close()
    },
  }
}

function startPool(): Piscina {
  return new Piscina({
    filename: new URL('./points-worker.ts', import.meta.url).href,
    minThreads: 1,
    maxThreads: 2,
    idleTimeout: IDLE_MS,
    recordTiming: false,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  })
}

function isShort({ chunks }: TrackPoints): boolean {
  return chunks.reduce((sum, chunk) => sum + chunk.length, 0) <= INLINE_BYTES
}
