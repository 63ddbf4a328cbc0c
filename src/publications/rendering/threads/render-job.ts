import { currentContext } from '#platform/tracing/spans.ts'
import type { PdfErrorCode } from '../pdfium/pdf-error.ts'
import type { RenderReply, RenderRequest } from './render-messages.ts'

/** The answer of a worker for a page, or the reason of its failure. */
export type Outcome = RenderReply | { failed: PdfErrorCode }

/**
 * Kinds of jobs: a publisher waits for an inspection; pages are rendered for the first time; a reader waits for an
 * image, or for one that was zoomed in on; further images are made ahead of readers.
 */
export type JobKind = 'inspection' | 'pages' | 'image' | 'large-image' | 'further-images'

export type JobOptions = {
  path: string
  kind: JobKind
  /** Pages in the order in which they are wanted, each once. */
  pages: Iterable<number>
  deadlineMs: number
  /** Limit on outcomes that are being produced or handled; nothing is rendered beyond it. */
  maxUnfinished: number
  /** Returns true if another page may be rendered; must be true when nothing is unfinished anywhere. */
  hasRoom?: () => boolean
  /** Until this resolves, nobody waits for the job, and it ranks with the work that nobody waits for. */
  wanted?: Promise<void>
  requestFor: (page: number) => Exclude<RenderRequest, { kind: 'release' }>
  onOutcome: (page: number, outcome: Outcome) => unknown
}

const PRIORITIES = { inspection: 0, 'first-page': 1, image: 2, 'large-image': 3, 'further-images': 4 }

/** Jobs up to this priority get a worker of their own when all others take long. */
const PRESSING = PRIORITIES['first-page']

/** A request for pages of one document. It ends once: when all are delivered, or with an error. */
export class RenderJob {
  readonly options: JobOptions
  /** The context that spans of its pages belong to; undefined without traces. */
  readonly context = currentContext()
  readonly finished: Promise<void>
  /** The count of all pages taken when a page of this job was taken last: the job that has waited longest is next. */
  lastServed = 0
  /** Worker time spent on the job so far. */
  spentMs = 0
  isOver = false
  /** True while the first page of a new document is to be delivered before any other is rendered. */
  isFirstAlone: boolean
  isWanted: boolean
  readonly #pending: Set<number>
  readonly #urgent = new Set<number>()
  readonly #settle: { resolve: () => void; reject: (error: unknown) => void }
  #unfinished = 0

  constructor(options: JobOptions) {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.options = options
    this.finished = promise
    this.#settle = { resolve, reject }
    this.#pending = new Set(options.pages)
    this.isFirstAlone = options.kind === 'pages' && this.#pending.has(1)
    this.isWanted = options.wanted === undefined
    this.#endIfDone()
  }

  /**
   * Returns the rank of the job's next page, the lowest of which is rendered next. The first page of a new document
   * comes before everything that readers can request, so that no number of requests delays a publisher.
   */
  get priority(): number {
    const { kind } = this.options
    if (!this.isWanted) return PRIORITIES['further-images']
    if (kind !== 'pages') return PRIORITIES[kind]
    if (this.lastServed === 0) return PRIORITIES['first-page']
    return this.#urgent.size > 0 ? PRIORITIES.image : PRIORITIES['further-images']
  }

  /** Tells whether a publisher waits for the job's next page. */
  get isPressing(): boolean {
    return this.priority <= PRESSING
  }

  get canBeServed(): boolean {
    const { hasRoom } = this.options
    const maxUnfinished = this.isFirstAlone ? 1 : this.options.maxUnfinished
    return this.#pending.size > 0 && this.#unfinished < maxUnfinished && (hasRoom?.() ?? true)
  }

  /** Takes the next page; `served` counts all pages taken. Call it only if `canBeServed`. */
  take(served: number): number {
    const [page] = this.lastServed > 0 && this.#urgent.size > 0 ? this.#urgent : this.#pending
    this.#urgent.delete(page)
    this.#pending.delete(page)
    this.lastServed = served
    this.#unfinished++
    return page
  }

  prioritize(page: number) {
    if (this.#pending.has(page)) this.#urgent.add(page)
  }

  /** Delivers an outcome. An error of `onOutcome` ends the job: pages that cannot be kept are useless. */
  async deliver(page: number, outcome: Outcome): Promise<void> {
    try {
      if (!this.isOver) await this.options.onOutcome(page, outcome)
    } catch (error) {
      this.end(error)
    }
    this.#unfinished--
    this.isFirstAlone = false
    this.#endIfDone()
  }

  /** Ends the job early: pending pages are dropped, and outcomes of pages being rendered are ignored. */
  end(error: unknown) {
    if (this.isOver) return
    this.isOver = true
    this.#pending.clear()
    this.#urgent.clear()
    this.#settle.reject(error)
  }

  #endIfDone() {
    if (this.isOver || this.#pending.size > 0 || this.#unfinished > 0) return
    this.isOver = true
    this.#settle.resolve()
  }
}
