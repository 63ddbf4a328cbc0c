import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { TilePlace } from '#platform/basics/terrain.ts'
import { threadPool } from '#platform/basics/thread-pool.ts'
import type { TracksTables } from '../model/tables.ts'
import type { EncodedChunk } from '../points/chunks/chunk-codec.ts'
import type { PointColumns } from '../points/point-columns.ts'
import type { ComputeScheduler } from '../points/turns.ts'
import {
  computeTrackFigures,
  type EventHeightsTask,
  type FiguresTask,
  type HeightsAlongTask,
  type ProfileTask,
  type ReplayTask,
  readTilesUnder,
  readTimesOfChunks,
  type TailsTask,
  type TilesTask,
  type TimesTask,
  type TrackFigures,
} from './points-tasks.ts'
import { warmUpRequests } from './warm-up.ts'

/**
 * Encoded bytes up to which tasks run in the calling thread: they take a few milliseconds, not worth waking a thread.
 */
const INLINE_BYTES = 32_768
/** Idle threads except one end after this time: starting a thread takes longer than most tasks. */
const IDLE_MS = 30_000

/** Phones that waited for the server to come back send at once. Their points do the work of a warm-up. */
const WARM_UP_AFTER_MS = 1_000

/** Memory limit of a thread's JavaScript; points are in typed arrays outside of it. */
const MAX_HEAP_MB = 1_024

/** Worker threads for tasks that would block requests. `ComputeScheduler` bounds how many tasks it gets. */
export type PointsPool = ReturnType<typeof createPointsPool>

/** Place of a task: the calling thread, if it takes a few milliseconds there, or a thread of its own. */
export type Inline = 'inline if short' | 'in a thread'

/** Everything that figures of stored points are computed with. */
export type ComputingDeps = {
  db: Kysely<TracksTables>
  pool: PointsPool
  turns: ComputeScheduler
  /** Points with a worse accuracy are left out of the statistics; 0 disables the limit. */
  maxAccuracyMeters: number
}

/**
 * Creates the pool, whose worker has a table of tasks by kind. Its first thread starts with the first task, and stays.
 */
export function createPointsPool(workerUrl: URL) {
  let pool: ReturnType<typeof startPool> | undefined
  let isToBeWarm = false
  const run = async <Result>(kind: string, task: object): Promise<Result> => {
    pool ??= startPool(workerUrl)
    return (await pool.run({ kind, task })) as Result
  }
  /** Lets requests of other kinds come between. */
  const warmUpUntilPoints = async () => {
    for (const _ of warmUpRequests()) {
      await nextTurn()
      if (!isToBeWarm) return
    }
  }
  return {
    /** Runs a task of one of the worker's kinds in a thread. */
    run,
    /** Computes statistics; of a short track in the calling thread, if it may. */
    async statistics(task: FiguresTask, inline: Inline): Promise<TrackFigures> {
      if (inline === 'inline if short' && isShort(task.chunks)) return computeTrackFigures(task)
      return await run('statistics', task)
    },
    profile: (task: ProfileTask): Promise<Uint8Array> => run('profile', task),
    replay: (task: ReplayTask): Promise<(Uint8Array | undefined)[]> => run('replay', task),
    merge: (task: { chunks: Uint8Array[] }): Promise<EncodedChunk[]> => run('merge', task),
    /** Decodes the times of points, chunk by chunk; few of them in the calling thread. */
    async times(task: TimesTask, where: 'inline' | 'in a thread'): Promise<Float64Array[]> {
      return where === 'inline' ? readTimesOfChunks(task) : await run('times', task)
    },
    /** Finds the tiles under a track; of a short one in the calling thread, if it may. */
    async tilesUnder(task: TilesTask, inline: Inline): Promise<TilePlace[]> {
      return inline === 'inline if short' && isShort(task.chunks)
        ? readTilesUnder(task)
        : await run('tiles-under', task)
    },
    heightsAlong: (task: HeightsAlongTask): Promise<Float64Array[]> => run('heights-along', task),
    eventHeights: (task: EventHeightsTask): Promise<Uint8Array | undefined> => run('event-heights', task),
    /** Decodes the ends of tracks. */
    tails: (task: TailsTask): Promise<PointColumns[]> => run('tails', task),
    /** Makes the first points as fast as later ones, unless they come at once, and then the first tasks. */
    warmUp() {
      isToBeWarm = true
      setTimeout(() => void warmUpUntilPoints(), WARM_UP_AFTER_MS).unref()
    },
    /** Prepares a thread, if the pool is to be warm: points have arrived, and tasks follow. */
    expectTasks() {
      if (!isToBeWarm) return
      isToBeWarm = false
      // Closing the pool ends it.
      run('warm-up', {}).catch(() => {})
    },
    async close() {
      await pool?.close()
    },
  }
}

function startPool(workerUrl: URL) {
  return threadPool<{ kind: string; task: object }, unknown>(workerUrl, {
    run: 'runTask',
    minThreads: 1,
    maxThreads: 2,
    idleMs: IDLE_MS,
    heapMb: MAX_HEAP_MB,
  })
}

/** Tells whether chunks are decoded in the calling thread: it takes a few milliseconds at most. */
export function isShort(chunks: readonly Uint8Array[]): boolean {
  return chunks.reduce((sum, { length }) => sum + length, 0) <= INLINE_BYTES
}
