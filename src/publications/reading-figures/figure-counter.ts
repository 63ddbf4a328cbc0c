import type { FastifyRequest } from 'fastify'
import type { Logger } from '#platform/logger.ts'
import { dayOf } from '../domain/day.ts'
import type { FiguresStore } from '../storage/figures-store.ts'
import { FigureBatch } from './figure-batch.ts'
import { asksForPrivacy, isPerson, isReader } from './is-reader.ts'
import { NewReaders } from './new-readers.ts'
import type { ReaderHash } from './reader-hash.ts'

/** The pages and the time that a reader's page reports. */
type ReadPages = { pages: readonly number[]; seconds: number }

type CountedRequest = Pick<FastifyRequest, 'method' | 'headers' | 'ip'>

/** Interval between writes; a process that is killed loses the figures since the last one. */
const STORE_EVERY_MS = 3_000
/** A batch of this many rows is written at once; after a failed write it is dropped if another is as large. */
const MAX_ROWS = 20_000
/** Readers of a day are removed this long after its end: other instances may still have some to write. */
const FORGET_AFTER_MS = 10 * 60_000

type Deps = {
  figures: Pick<FiguresStore, 'add' | 'forgetReadersBefore'>
  readerHash: ReaderHash
  logger: Logger
  now: () => number
}

/** Counts reading figures in memory first, so that reading costs the database nothing. */
export class FigureCounter {
  readonly #deps: Deps
  readonly #batch = new FigureBatch()
  readonly #newReaders = new NewReaders()
  readonly #timer: NodeJS.Timeout
  /** Readers that are being hashed. */
  readonly #hashing = new Set<Promise<void>>()
  #storing: Promise<void> = Promise.resolve()

  constructor(deps: Deps) {
    this.#deps = deps
    this.#timer = setInterval(() => void this.store(), STORE_EVERY_MS).unref()
  }

  /** Counts a view of a public page, unless the request is a prefetch or comes from a program. */
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

  /** Counts the pages and time of a report; `pageCount` is the number of pages of the publication. */
  countReading(publicationId: string, pageCount: number, { pages, seconds }: ReadPages, request: CountedRequest): void {
    if (!isPerson(request.headers)) return
    const day = dayOf(this.#deps.now())
    for (const page of new Set(pages)) {
      if (page >= 1 && page <= pageCount) this.#add(publicationId, 'page', page, day, 1)
    }
    if (seconds > 0) this.#add(publicationId, 'seconds', 0, day, seconds)
  }

  /** Stores the figures so far; after a failure they are kept for the next write. */
  async store(): Promise<void> {
    this.#storing = this.#storing.then(() => this.#storeBatch())
    await this.#storing
  }

  /** Removes the readers of past days. */
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
    if (this.#batch.size === MAX_ROWS) void this.store()
  }

  #countReader(publicationId: string, day: string, { ip, headers }: CountedRequest): void {
    const { readerHash, logger, now } = this.#deps
    const hashing = readerHash(day, publicationId, { address: ip, userAgent: headers['user-agent'] ?? '' })
      .then((reader) => {
        if (this.#newReaders.mayCount(reader, ip, now())) this.#batch.addReader(publicationId, day, reader)
      })
      .catch((err) => logger.warn({ err }, 'counting a reader failed'))
      .finally(() => this.#hashing.delete(hashing))
    this.#hashing.add(hashing)
  }

  async #storeBatch(): Promise<void> {
    if (this.#batch.size === 0) return
    const changes = this.#batch.take()
    try {
      await this.#deps.figures.add(changes)
    } catch (err) {
      this.#deps.logger.warn({ err }, 'storing reading figures failed; it will be retried')
      if (this.#batch.size < MAX_ROWS) this.#batch.addAll(changes)
    }
  }
}
