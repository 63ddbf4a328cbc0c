import type { PdfErrorCode } from '../pdfium/pdf-error.ts'
import type { RenderReply, RenderRequest } from './render-messages.ts'

/** What a worker gave for a page, or why there is nothing. */
export type Outcome = RenderReply | { failed: PdfErrorCode }

export type JobOptions = {
  path: string
  /** In the order in which they are wanted; each once. */
  pages: Iterable<number>
  /** Whether someone waits for all of it. */
  isUrgent?: boolean
  deadlineMs: number
  /** How many outcomes may be with `onOutcome` or on the way to it; nothing is rendered for which there is no room. */
  maxUnfinished: number
  /** Whether there is room at all; with nothing unfinished anywhere there has to be. */
  hasRoom?: () => boolean
  requestFor: (page: number) => Exclude<RenderRequest, { kind: 'release' }>
  onOutcome: (page: number, outcome: Outcome) => unknown
}

/** Pages of one document that are wanted. It ends once: when all are handed over, or with an error. */
export class RenderJob {
  readonly options: JobOptions
  readonly finished: Promise<void>
  /** When a page of it was taken last, as a count of all pages taken: who has waited longest is next. */
  lastServed = 0
  /** Time of workers spent on it so far. */
  spentMs = 0
  isOver = false
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
    this.#endIfDone()
  }

  /** 0 for what someone waits for, 1 for a document of which nothing is there yet, 2 for the rest. */
  get priority(): number {
    if (this.options.isUrgent || this.#urgent.size > 0) return 0
    return this.lastServed === 0 ? 1 : 2
  }

  get canBeServed(): boolean {
    const { maxUnfinished, hasRoom } = this.options
    return this.#pending.size > 0 && this.#unfinished < maxUnfinished && (hasRoom?.() ?? true)
  }

  /** Takes the next page; `served` counts all pages taken. Only when `canBeServed`. */
  take(served: number): number {
    const [page] = this.#urgent.size > 0 ? this.#urgent : this.#pending
    this.#urgent.delete(page)
    this.#pending.delete(page)
    this.lastServed = served
    this.#unfinished++
    return page
  }

  moveToFront(page: number) {
    if (this.#pending.has(page)) this.#urgent.add(page)
  }

  /** Hands an outcome over. What `onOutcome` throws ends the job: there is no use in pages that cannot be kept. */
  async deliver(page: number, outcome: Outcome): Promise<void> {
    try {
      if (!this.isOver) await this.options.onOutcome(page, outcome)
    } catch (error) {
      this.end(error)
    }
    this.#unfinished--
    this.#endIfDone()
  }

  /** Ends it early: what is pending is forgotten, what is being rendered is dropped when it comes. */
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
