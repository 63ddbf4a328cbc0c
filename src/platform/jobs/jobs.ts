import { getSystemErrorMap } from 'node:util'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { AppError, internalError } from '../basics/errors.ts'
import type { Logger } from '../basics/logger.ts'
import { inTime, ticking } from '../basics/timers.ts'

/** Work that a service does again and again in the background. */
type JobPlan = {
  everyMs: number
  /** Purpose of the job, in a sentence for operators. */
  doc: string
  run(): unknown
  /** True for a job that also runs as soon as it is added. */
  atStart?: boolean
  /** Returns false while a run would have nothing to do; such a turn is skipped and counts as none. */
  isDue?(): boolean
}

/** Work that a service does as it comes, and that may have to wait. */
type QueuePlan = {
  /** Contents of the queue, in a sentence for operators. */
  doc: string
  /** True if all instances share the queue, in place of the work of this one. */
  isShared?: boolean
  countWaiting(): number | Promise<number>
}

/** Last finished run of a job on this instance. */
type JobRun = {
  startedMs: number
  durationMs: number
  failure: JobFailure | null
}

/** Reason of a failure, without anything that only the log may hold. */
type JobFailure = {
  /** Code of an error of this program, such as `UNAVAILABLE`, or of the operating system, such as `ENOSPC`. */
  code: string
  message: string
}

/** A job as operators see it. */
export type JobState = Pick<JobPlan, 'everyMs' | 'doc'> & {
  name: string
  service: string
  /** Start of the run in progress; null if there is none. */
  runningSinceMs: number | null
  last: JobRun | null
  nextMs: number
}

/** A queue as operators see it. */
export type QueueState = {
  name: string
  service: string
  doc: string
  isShared: boolean
  /** Null while the database cannot say. */
  waiting: number | null
}

type Job = JobPlan & JobState & { running: Promise<void> | undefined; stop(): void }
type Queue = QueuePlan & Pick<QueueState, 'name' | 'service'>

type Deps = { logger: Logger; registry: Registry; now: () => number }

/** Time for runs in progress when a service closes. They end with the database, which is closed next. */
const CLOSE_WITHIN_MS = 2_000

/**
 * The named background jobs of this process. A job never runs twice at once: a turn that comes during a run is left
 * out. A failure is logged and noted, and the next turn tries again.
 */
export class Jobs {
  readonly #deps: Deps
  readonly #jobs = new Map<string, Job>()
  #queues: readonly Queue[] = []
  readonly #metrics: JobMetrics
  /** Time since which runs are noted. */
  readonly sinceMs: number

  constructor(deps: Deps) {
    this.#deps = deps
    this.sinceMs = deps.now()
    this.#metrics = createJobMetrics(deps.registry, () => this.#jobs.values())
  }

  /** Returns the jobs of one service, which it adds and closes. */
  of(service: string): ServiceJobs {
    const own = () => [...this.#jobs.values()].filter((job) => job.service === service)
    return {
      every: (name, plan) => this.#add(service, name, plan),
      queue: (name, plan) => {
        this.#queues = [...this.#queues, { ...plan, name, service }]
      },
      run: (name) => this.#run(this.#jobs.get(name)!),
      stop() {
        for (const job of own()) job.stop()
      },
      close: async () => {
        const jobs = own()
        for (const job of jobs) {
          job.stop()
          this.#jobs.delete(job.name)
        }
        this.#queues = this.#queues.filter((queue) => queue.service !== service)
        const running = jobs.flatMap((job) => job.running ?? [])
        await inTime(CLOSE_WITHIN_MS, Promise.allSettled(running))
      },
    }
  }

  /** Returns the present state of all jobs, in the order in which they were added. */
  list(): JobState[] {
    return [...this.#jobs.values()]
  }

  /** Returns the state of a job; undefined if no job has the name. */
  find(name: string): JobState | undefined {
    return this.#jobs.get(name)
  }

  /** Returns the queues with the lengths that they have now. */
  async queues(): Promise<QueueState[]> {
    return await Promise.all(
      this.#queues.map(async ({ name, service, doc, isShared = false, countWaiting }) => {
        const waiting = await Promise.try(countWaiting).catch(() => null)
        return { name, service, doc, isShared, waiting }
      }),
    )
  }

  /**
   * Runs a job now, due or not, or joins the run in progress. Resolves at its end, after a failure, too.
   * @param withinMs longest time to wait for the end; without it, as long as the run takes
   */
  async run(name: string, withinMs?: number): Promise<void> {
    const job = this.#jobs.get(name)
    if (job === undefined) return
    const running = this.#run(job)
    await (withinMs === undefined ? running : inTime(withinMs, running))
  }

  #add(service: string, name: string, plan: JobPlan): void {
    if (this.#jobs.has(name)) throw new Error(`Two jobs are named ${name}`)
    const { now } = this.#deps
    const stop = ticking(plan.everyMs, () => {
      job.nextMs = now() + plan.everyMs
      if (plan.isDue?.() ?? true) void this.#run(job)
    })
    const state = { runningSinceMs: null, last: null, nextMs: now() + plan.everyMs }
    const job: Job = { ...plan, ...state, name, service, running: undefined, stop }
    this.#jobs.set(name, job)
    if (plan.atStart) void this.#run(job)
  }

  #run(job: Job): Promise<void> {
    job.running ??= this.#runOnce(job).finally(() => {
      job.running = undefined
      job.runningSinceMs = null
    })
    return job.running
  }

  async #runOnce(job: Job): Promise<void> {
    const { logger, now } = this.#deps
    const startedMs = now()
    const startMs = performance.now()
    let failure: JobFailure | null = null
    job.runningSinceMs = startedMs
    try {
      await job.run()
    } catch (err) {
      failure = reasonOf(err)
      // A job of a closed service only meets the end of its database.
      if (this.#jobs.get(job.name) === job) logger.warn({ err, job: job.name }, 'a background job failed')
    }
    job.last = { startedMs, durationMs: performance.now() - startMs, failure }
    this.#metrics.ended(job.name, job.last)
  }
}

/** Jobs of one service. */
export type ServiceJobs = {
  /**
   * Runs a job at an interval from now on.
   * @param name unique in the process, such as `tracks-cleaning`
   */
  every(name: string, plan: JobPlan): void
  /** Shows operators the length of a queue from now on. */
  queue(name: string, plan: QueuePlan): void
  /** Runs a job now, or joins the run in progress. Never rejects. */
  run(name: string): Promise<void>
  /** Lets no further run begin. */
  stop(): void
  /** Stops, forgets the jobs, and waits a moment for runs in progress. */
  close(): Promise<void>
}

const UNEXPECTED: JobFailure = {
  code: internalError.code,
  message: 'An unexpected error occurred. The log of the server has it, with the name of the job.',
}

/** Returns a reason that is safe to show: messages of other errors may hold paths, addresses or statements. */
function reasonOf(error: unknown): JobFailure {
  if (error instanceof AppError) return { code: error.code, message: error.message }
  const { errno } = error as { errno?: unknown }
  const [code, words] = (typeof errno === 'number' && getSystemErrorMap().get(errno)) || []
  return code === undefined ? UNEXPECTED : { code, message: `The system says: ${words} (${code}).` }
}

/** From a millisecond, which most runs take, to the hours of a slow look at all data. */
const BUCKETS_SEC = [0.001, 0.01, 0.1, 1, 10, 60, 600, 3600, 21_600]

type JobMetrics = { ended(name: string, run: JobRun): void }

function createJobMetrics(registry: Registry, jobs: () => Iterable<Job>): JobMetrics {
  const registers = [registry]
  const runs = new Counter({
    name: 'job_runs_total',
    help: 'Runs of a background job, by result.',
    labelNames: ['name', 'result'],
    registers,
  })
  const durations = new Histogram({
    name: 'job_duration_seconds',
    help: 'Duration of the runs of a background job.',
    labelNames: ['name'],
    buckets: BUCKETS_SEC,
    registers,
  })
  new Gauge({
    name: 'job_last_run_seconds',
    help: 'Unix time at which the last finished run of a background job began; 0 before the first.',
    labelNames: ['name'],
    registers,
    collect() {
      for (const { name, last } of jobs()) this.set({ name }, (last?.startedMs ?? 0) / 1000)
    },
  })
  return {
    ended(name, { durationMs, failure }) {
      runs.inc({ name, result: failure === null ? 'ok' : 'failed' })
      durations.observe({ name }, durationMs / 1000)
    },
  }
}
