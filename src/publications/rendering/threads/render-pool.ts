import { boundedCache } from '#platform/basics/bounded-cache.ts'
import { inSpan } from '#platform/tracing/spans.ts'
import type { FallbackFont } from '../pdfium/fallback-fonts.ts'
import { PdfError, type PdfErrorCode } from '../pdfium/pdf-error.ts'
import type { Outcome, RenderJob } from './render-job.ts'
import type { RenderWorkerData } from './render-messages.ts'
import { RenderThread } from './render-thread.ts'

export type PoolOptions = {
  /** Number of concurrent worker threads. */
  workers: number
  /** Memory limit of PDFium in one worker. */
  maxMemoryBytes: number
  /** Fonts for text whose font is not in the document. */
  fonts: FallbackFont[]
  /** Worker time for all pages of one job; the remaining pages fail. */
  documentDeadlineMs: number
  /** After this many requests, or above this much memory, which never shrinks, a worker is replaced. */
  requestsPerWorker: number
  recycleAboveBytes: number
  /** Time that an idle worker is kept. */
  idleMs: number
}

/** Pages that a worker renders of one document before another gets its turn: opening a document takes time. */
const TURN_PAGES = 8

/** Inspected documents are usually rendered next, so they stay open for a moment. */
const KEEP_OPEN_MS = 2_000

/**
 * Pages usually take 10 to 50 ms; if all workers take longer than this, a new document gets a
 * worker of its own. A first page waits longer than an inspection, because the worker that opened
 * its document is usually about to render it.
 */
const SPARE_AFTER_MS = { inspection: 300, pages: 1_000 }

/** A first page that takes longer than this no longer holds up the other pages of its document. */
const FIRST_ALONE_MS = 1_000

/** PDFium, compiled once for all threads of the process, the first of which warms it up. */
let compiled: Promise<WebAssembly.Module> | undefined
let isFirst = true

/** The parts of a worker thread that the pool uses. */
export type PoolThread = Pick<
  RenderThread,
  'answered' | 'memoryBytes' | 'isAlive' | 'ask' | 'release' | 'unref' | 'close'
>

/** A slot for a worker, which has the document at `path` open. */
type Slot = { thread?: PoolThread; path?: string; turn: number; isBusy: boolean; idleTimer?: NodeJS.Timeout }

/**
 * Runs jobs in worker threads by priority, and jobs of one priority in turns. A page that ends a worker affects that
 * page alone. It is tried once more in a fresh worker if the old one had worked before, and is then remembered, so that
 * requesting it again is harmless. Slow pages do not delay the opening of a document and its first page, which
 * publishers wait for.
 */
export class RenderPool {
  readonly #options: PoolOptions
  readonly #startThread: (data: Omit<RenderWorkerData, 'threadEnd'>) => PoolThread
  readonly #slots: Slot[]
  readonly #spare: Slot = { turn: 0, isBusy: false }
  readonly #poison = new PoisonPages()
  readonly #jobs = new Set<RenderJob>()
  #served = 0
  #isClosed = false

  constructor(
    options: PoolOptions,
    startThread: (data: Omit<RenderWorkerData, 'threadEnd'>) => PoolThread = (data) => new RenderThread(data),
  ) {
    this.#options = options
    this.#startThread = startThread
    this.#slots = Array.from({ length: options.workers }, () => ({ turn: 0, isBusy: false }))
  }

  /** Accepts a job; its `finished` settles in any case. */
  add(job: RenderJob) {
    if (this.#isClosed) return job.end(new PdfError('closed'))
    this.#jobs.add(job)
    const remove = () => {
      this.#jobs.delete(job)
      this.#assign()
    }
    job.finished.then(remove, remove)
    this.#assign()
    void job.options.wanted?.then(() => this.#urge(job))
    this.#serveInTime(job)
  }

  /** Starts a worker if there is none, ahead of a document: a worker takes 0.1 s to be ready. */
  async warm(): Promise<void> {
    const [slot] = this.#slots
    if (this.#isClosed || this.#slots.some(({ thread }) => thread !== undefined)) return
    await this.#threadOf(slot)
    if (!slot.isBusy) this.#rest(slot)
  }

  /** Ends all workers, even in the middle of a page, and all jobs with the `PdfError` `closed`. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const job of this.#jobs) job.end(new PdfError('closed'))
    await Promise.all([...this.#slots, this.#spare].map((slot) => this.#discard(slot)))
  }

  #assign() {
    const paths = new Set([...this.#jobs].map(({ options }) => options.path))
    const idle = this.#slots.filter((slot) => !slot.isBusy)
    const hasOneOpen = ({ path }: Slot) => path !== undefined && paths.has(path)
    for (const slot of idle.sort((a, b) => Number(hasOneOpen(b)) - Number(hasOneOpen(a)))) {
      if (this.#nextJob(slot) !== undefined) void this.#work(slot)
      else if (this.#jobs.size === 0) this.#rest(slot)
    }
  }

  async #work(slot: Slot) {
    slot.isBusy = true
    clearTimeout(slot.idleTimer)
    for (let job = this.#nextJob(slot); job !== undefined; job = this.#nextJob(slot)) await this.#serve(slot, job)
    slot.isBusy = false
    this.#assign()
  }

  /** Ranks a job by its kind from now on: it was begun ahead of a request, which has come. */
  #urge(job: RenderJob) {
    if (job.isWanted || job.isOver) return
    job.isWanted = true
    this.#assign()
    this.#serveInTime(job)
  }

  #serveInTime(job: RenderJob) {
    const { kind } = job.options
    if (!job.isWanted || (kind !== 'inspection' && kind !== 'pages')) return
    const timers = [setTimeout(() => void this.#serveElsewhere(), SPARE_AFTER_MS[kind]).unref()]
    if (job.isFirstAlone) timers.push(setTimeout(() => this.#goOn(job), FIRST_ALONE_MS).unref())
    const forget = () => {
      for (const timer of timers) clearTimeout(timer)
    }
    job.finished.then(forget, forget)
  }

  #goOn(job: RenderJob) {
    job.isFirstAlone = false
    this.#assign()
  }

  async #serveElsewhere() {
    if (this.#spare.isBusy) return
    this.#spare.isBusy = true
    const waiting = () => [...this.#jobs].find((job) => job.isPressing && job.canBeServed)
    for (let job = waiting(); job !== undefined; job = waiting()) await this.#serve(this.#spare, job)
    this.#spare.isBusy = false
    await this.#discard(this.#spare)
  }

  #nextJob(slot: Slot): RenderJob | undefined {
    const hasTurn = (job: RenderJob) => (job.options.path === slot.path && slot.turn < TURN_PAGES ? 0 : 1)
    return [...this.#jobs]
      .filter((job) => job.canBeServed)
      .sort((a, b) => a.priority - b.priority || hasTurn(a) - hasTurn(b) || a.lastServed - b.lastServed)
      .at(0)
  }

  async #serve(slot: Slot, job: RenderJob) {
    const { path } = job.options
    slot.turn = slot.path === path ? slot.turn + 1 : 1
    slot.path = path
    const page = job.take(++this.#served)
    const startMs = performance.now()
    try {
      const attributes = { 'trackpress.page': page }
      const name = job.options.kind === 'inspection' ? 'inspect document' : 'render page'
      const outcome = await inSpan(name, { attributes, within: job.context }, () => this.#outcome(slot, job, page))
      job.spentMs += performance.now() - startMs
      // The worker continues while this outcome is handled; the job's limit of unfinished outcomes throttles it.
      void job.deliver(page, outcome).then(() => this.#assign())
    } catch (error) {
      job.end(error)
    }
  }

  async #outcome(slot: Slot, job: RenderJob, page: number): Promise<Outcome> {
    const { path, deadlineMs, wanted, requestFor } = job.options
    const known = this.#poison.find(path, page)
    if (known !== undefined) return { failed: known }
    if (job.spentMs > this.#options.documentDeadlineMs) return { failed: 'timed_out' }
    for (;;) {
      const thread = await this.#threadOf(slot)
      const isFresh = thread.answered === 0
      const outcome = await ask(() => thread.ask(requestFor(page), deadlineMs))
      if (this.#isSpent(thread)) await this.#discard(slot)
      if (!('failed' in outcome) || thread.isAlive || this.#isClosed) return outcome
      if (!isFresh && outcome.failed !== 'timed_out') continue
      // A job that was begun ahead has little time, and may take longer once it is requested.
      if (wanted === undefined || outcome.failed !== 'timed_out') this.#poison.add(path, page, outcome.failed)
      return outcome
    }
  }

  async #threadOf(slot: Slot): Promise<PoolThread> {
    compiled ??= import('../pdfium/load-pdfium.ts').then(({ compilePdfium }) => compilePdfium())
    const module = await compiled
    const { maxMemoryBytes, fonts } = this.#options
    if (this.#isClosed) throw new PdfError('closed')
    // The thread may have died while it was idle, or never started.
    if (!slot.thread?.isAlive) {
      slot.thread = this.#startThread({ module, maxMemoryBytes, fonts, isFirst })
      isFirst = false
    }
    return slot.thread
  }

  #isSpent({ isAlive, answered, memoryBytes }: PoolThread): boolean {
    const { requestsPerWorker, recycleAboveBytes } = this.#options
    return !isAlive || answered >= requestsPerWorker || memoryBytes > recycleAboveBytes
  }

  #rest(slot: Slot) {
    clearTimeout(slot.idleTimer)
    slot.thread?.unref()
    const release = () => {
      slot.path = undefined
      slot.thread?.release()
      slot.idleTimer = setTimeout(() => this.#discard(slot), this.#options.idleMs).unref()
    }
    if (slot.thread !== undefined) slot.idleTimer = setTimeout(release, KEEP_OPEN_MS).unref()
  }

  async #discard(slot: Slot): Promise<void> {
    const { thread } = slot
    slot.thread = undefined
    slot.path = undefined
    clearTimeout(slot.idleTimer)
    await thread?.close()
  }
}

/** Turns a failure of the worker into an outcome; an error that prevented the request is thrown. */
async function ask(send: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await send()
  } catch (error) {
    if (error instanceof PdfError) return { failed: error.code satisfies PdfErrorCode }
    throw error
  }
}

/** Enough for the worst day; each entry is a path and a code. */
const MAX_ENTRIES = 10_000

/** Pages that have ended a worker, with the failure: they are not rendered again while they are remembered. */
class PoisonPages {
  readonly #failures = boundedCache<PdfErrorCode>(MAX_ENTRIES)

  find(path: string, page: number): PdfErrorCode | undefined {
    return this.#failures.get(`${page} ${path}`)
  }

  add(path: string, page: number, failure: PdfErrorCode) {
    this.#failures.set(`${page} ${path}`, failure)
  }
}
