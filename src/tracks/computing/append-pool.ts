import { Piscina } from 'piscina'
import type { AppendPlan, AppendTask } from '../chunks/plan-appends.ts'

/** Threads end after this time without late points, which are rare. */
const IDLE_MS = 30_000

/** Name of the worker's function that runs a task. */
const RUN = { name: 'runAppend' }

/** Worker threads for late points. They have their own, so that phones never wait for what spectators look at. */
type AppendPool = {
  /** @throws ChunkDamagedError */
  plan(task: AppendTask): Promise<AppendPlan>
  close(): Promise<void>
}

export function createAppendPool(): AppendPool {
  const pool = new Piscina({
    filename: new URL('./append-worker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: 2,
    idleTimeout: IDLE_MS,
    recordTiming: false,
    env: {},
  })
  return {
    plan: (task) => pool.run(task, RUN),
    close: () => pool.close(),
  }
}
