import { Piscina } from 'piscina'
import { RETRY_SOON_SEC, unavailable } from './errors.ts'
import { threadEnvironment } from './thread-environment.ts'

/** Function of a worker file that a pool runs, and the limits of its threads. */
type ThreadLimits = {
  /** Name of the exported function that takes a task. */
  run: string
  /** Threads that stay when they are idle. The pool starts them at once; with none it starts with the first task. */
  minThreads?: number
  maxThreads: number
  /** Idle threads end after this time. */
  idleMs: number
  /** Memory limit of each thread's JavaScript, in MiB; buffers are outside of it. */
  heapMb?: number
  /** Tasks that may wait for a thread; unlimited by default. */
  maxWaiting?: number
}

/**
 * Creates a pool of worker threads.
 *
 * @param worker - address of the file with the function, relative to `import.meta.url`
 */
export function threadPool<Task, Result>(worker: URL, limits: ThreadLimits) {
  const { run, minThreads = 0, maxThreads, idleMs, heapMb, maxWaiting } = limits
  const pool = new Piscina<Task, Result>({
    filename: worker.href,
    name: run,
    minThreads,
    maxThreads,
    maxQueue: maxWaiting,
    idleTimeout: idleMs,
    recordTiming: false,
    env: threadEnvironment(),
    resourceLimits: heapMb === undefined ? {} : { maxOldGenerationSizeMb: heapMb },
  })
  /** Tasks without a result so far. */
  const open = new Set<AbortController>()
  // A thread that cannot start, for example because files or memory have run out, fails without a task. While others
  // live, they take the tasks that wait; without any, nothing would ever take them.
  pool.on('error', (error) => {
    if (pool.threads.length > 0) return
    for (const task of open) task.abort(error)
  })
  return {
    /** Number of tasks that wait for a thread. */
    get waiting(): number {
      return pool.queueSize
    },

    /**
     * Runs a task. The memory in `transfer` moves to the thread. The signal ends the thread in the middle of the task.
     * @throws the error of the task; AbortError; unavailable if no thread can start; the error of Node.js for a thread
     *   that used too much memory
     */
    async run(task: Task, { transfer, signal }: { transfer?: ArrayBufferLike[]; signal?: AbortSignal } = {}) {
      const failure = new AbortController()
      open.add(failure)
      try {
        return await pool.run(task, {
          // The package's type of the list differs from Node.js, which takes an array.
          transferList: transfer as object | undefined,
          signal: signal === undefined ? failure.signal : AbortSignal.any([signal, failure.signal]),
        })
      } catch (error) {
        if (!failure.signal.aborted) throw error
        throw unavailable({ retryAfterSec: RETRY_SOON_SEC, cause: failure.signal.reason })
      } finally {
        open.delete(failure)
      }
    },

    /** Ends the threads once their tasks are done. */
    async close(): Promise<void> {
      await pool.close()
    },

    /** Ends the threads at once; tasks are rejected. */
    async destroy(): Promise<void> {
      await pool.destroy()
    },
  }
}
