import type { FastifyRequest } from 'fastify'
import type { Logger } from '#platform/logger.ts'
import type { FiguresStore } from '../storage/figures-store.ts'
import { dayOf } from './day.ts'
import { FigureBatch } from './figure-batch.ts'
import { asksForPrivacy, isPerson, isReader } from './is-reader.ts'
import type { ReaderHash } from './reader-hash.ts'

/** What a reader's page says it has shown. */
export type ReadPages = { pages: readonly number[]; seconds: number }

type CountedRequest = Pick<FastifyRequest, 'method' | 'headers' | 'ip'>

/** How often what was counted is stored; a process that is killed loses what it counted since. */
const STORE_EVERY_MS = 3_000
/** More rows than this are stored at once, and what cannot be stored meanwhile is no longer kept. */
const MAX_WAITING = 20_000
/** Readers of a day are forgotten when it has been over for this long: other instances may have some to store yet. */
const FORGET_AFTER_MS = 10 * 60_000

type Deps = { figures: FiguresStore; readerHash: ReaderHash; logger: Logger; now: () => number }

/** Counts how publications are read, in memory first: reading costs the database nothing, however many read. */
export class FigureCounter {
  readonly #deps: Deps
  readonly #batch = new FigureBatch()
  readonly #timer: NodeJS.Timeout
  /** Readers that are being hashed. */
  readonly #hashing = new Set<Promise<void>>()
  #storing: Promise<void> = Promise.resolve()

  constructor(deps: Deps) {
    this.#deps = deps
    this.#timer = setInterval(() => void this.store(), STORE_EVERY_MS).unref()
  }

  /** Counts a request for the page of a publication that was answered, if somebody is going to look at it. */
  countView(publicationId: string, request: CountedRequest): void {
    if (!isReader(request)) return
    const day = dayOf(this.#deps.now())
    this.#add(publicationId, 'views', 0, day, 1)
    if (!asksForPrivacy(request.headers)) this.#countReader(publicationId, day, request)
  }

  countDownload(publicationId: string, { method, headers }: CountedRequest): void {
    if (method !== 'GET' || !isPerson(headers)) return
    this.#add(publicationId, 'downloads', 0, dayOf(this.#deps.now()), 1)
  }

  /** Counts what a reader's page has shown; `pageCount` is how many pages there are. */
  countReading(publicationId: string, pageCount: number, { pages, seconds }: ReadPages, request: CountedRequest): void {
    if (!isPerson(request.headers)) return
    const day = dayOf(this.#deps.now())
    for (const page of new Set(pages)) {
      if (page >= 1 && page <= pageCount) this.#add(publicationId, 'page', page, day, 1)
    }
    if (seconds > 0) this.#add(publicationId, 'seconds', 0, day, seconds)
  }

  /** Stores what was counted so far; what cannot be stored is kept for the next time. */
  async store(): Promise<void> {
    this.#storing = this.#storing.then(() => this.#storeBatch())
    await this.#storing
  }

  /** Forgets who read on days that are over. */
  async forgetReaders(): Promise<void> {
    const { figures, now } = this.#deps
    await figures.forgetReadersBefore(dayOf(now() - FORGET_AFTER_MS))
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.allSettled(this.#hashing)
    await this.store()
  }

  #add(...figure: Parameters<FigureBatch['add']>): void {
    this.#batch.add(...figure)
    if (this.#batch.size === MAX_WAITING) void this.store()
  }

  #countReader(publicationId: string, day: string, { ip, headers }: CountedRequest): void {
    const { readerHash, logger } = this.#deps
    const hashing = readerHash(day, publicationId, { address: ip, userAgent: headers['user-agent'] ?? '' })
      .then((reader) => this.#batch.addReader(publicationId, day, reader))
      .catch((err) => logger.warn({ err }, 'a reader was not counted'))
      .finally(() => this.#hashing.delete(hashing))
    this.#hashing.add(hashing)
  }

  async #storeBatch(): Promise<void> {
    if (this.#batch.size === 0) return
    const changes = this.#batch.take()
    try {
      await this.#deps.figures.add(changes)
    } catch (err) {
      this.#deps.logger.warn({ err }, 'reading figures could not be stored yet')
      if (this.#batch.size < MAX_WAITING) this.#batch.addAll(changes)
    }
  }
}
