import type { DocumentFacts } from '../../domain/document-facts.ts'
import type { PreparedPage } from './first-page.ts'

/** The least that a preparation counts for, which also bounds their number. */
const MIN_BYTES = 131_072

/** The preparation of one document: waiting, in progress or complete. */
export class Preparation {
  readonly workspaceId: string
  hasBegun = false
  lifeTimer: NodeJS.Timeout | undefined
  #keptBytes = 0
  readonly #facts = Promise.withResolvers<DocumentFacts | undefined>()
  readonly #page = Promise.withResolvers<PreparedPage | undefined>()
  readonly #wanted = Promise.withResolvers<void>()
  readonly #dropped = new AbortController()

  constructor(workspaceId: string) {
    this.workspaceId = workspaceId
  }

  /** Memory that the results take, in bytes. */
  get bytes(): number {
    return Math.max(MIN_BYTES, this.#keptBytes)
  }

  /** The facts of the document; undefined if it could not be inspected. */
  get facts(): Promise<DocumentFacts | undefined> {
    return this.#facts.promise
  }

  /** The first page of the document; undefined if it could not be rendered. */
  get page(): Promise<PreparedPage | undefined> {
    return this.#page.promise
  }

  /** Resolves when the document is being published. */
  get wanted(): Promise<void> {
    return this.#wanted.promise
  }

  /** Aborts when the results are of no use any more; a preparation that waits is then not begun. */
  get dropped(): AbortSignal {
    return this.#dropped.signal
  }

  want(): void {
    this.#wanted.resolve()
  }

  /** Keeps the facts. */
  inspected(facts: DocumentFacts): void {
    this.#keptBytes = JSON.stringify(facts).length
    this.#facts.resolve(facts)
  }

  /** Keeps the first page. */
  rendered(page: PreparedPage): void {
    const { text, words } = page.content
    this.#keptBytes += page.image.byteLength + text.length + words.byteLength
    this.#page.resolve(page)
  }

  /** Gives what has not been prepared by now as undefined. */
  finish(): void {
    this.#facts.resolve(undefined)
    this.#page.resolve(undefined)
  }

  drop(): void {
    clearTimeout(this.lifeTimer)
    this.#dropped.abort()
  }
}
