import type { FastifyRequest } from 'fastify'
import type { Logger } from '#platform/basics/logger.ts'
import type { DayReaderRow, FigureKind, ReadingFigureRow } from '../model/tables.ts'
import { asksForPrivacy, isPerson, isReader, NewReaders, type ReaderHash } from './readers.ts'
import { dayOf } from './schemas.ts'
import type { FigureChanges, FiguresStore } from './store.ts'

/** The pages and the time that a reader's page reports. */
type ReadPages = { pages: readonly number[]; seconds: number }

type CountedRequest = Pick<FastifyRequest, 'method' | 'headers' | 'ip'>

/** A batch of this many rows is written at once; after a failed write it is dropped if another is as large. */
const MAX_ROWS = 20_000
/** Readers of a day are removed this long after its end: other instances may still have some to write. */
const FORGET_AFTER_MS = 10 * 60_000

type Deps = {
  figures: FiguresStore
  readerHash: ReaderHash
  logger: Logger
  now: () => number
}

/** Counts reading figures in memory first, so that reading costs the database nothing. */
export class FigureCounter {
  readonly #deps: Deps
  readonly #batch = new FigureBatch()
  readonly #newReaders = new NewReaders()
  /** Readers that are being hashed. */
  readonly #hashing = new Set<Promise<void>>()
  #storing: Promise<void> = Promise.resolve()

  constructor(deps: Deps) {
    this.#deps = deps
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

  /**
   * Stores the figures so far, with the readers that are being recognised; after a failure, it rejects and keeps them
   * for the next write.
   */
  async store(): Promise<void> {
    await Promise.allSettled(this.#hashing)
    const storing = this.#storing.then(() => this.#storeBatch())
    this.#storing = storing.catch(() => {})
    await storing
  }

  /** Removes the readers of past days. */
  async forgetReaders(): Promise<void> {
    const { figures, now } = this.#deps
    await figures.forgetReadersBefore(dayOf(now() - FORGET_AFTER_MS))
  }

  async close(): Promise<void> {
    await this.store().catch(this.#logFailure)
  }

  readonly #logFailure = (err: unknown) =>
    this.#deps.logger.warn({ err }, 'storing reading figures failed; it will be retried')

  #add(...figure: Parameters<FigureBatch['add']>): void {
    this.#batch.add(...figure)
    if (this.#batch.size === MAX_ROWS) void this.store().catch(this.#logFailure)
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
    } catch (error) {
      if (this.#batch.size < MAX_ROWS) this.#batch.addAll(changes)
      throw error
    }
  }
}

/** Figures that are summed up in memory and stored together. */
class FigureBatch {
  readonly #figures = new Map<string, ReadingFigureRow>()
  readonly #readers = new Map<string, DayReaderRow>()

  /** The number of rows to be written. */
  get size(): number {
    return this.#figures.size + this.#readers.size
  }

  /** Adds to a figure; `page` is 0 except for the kind `page`. */
  add(publicationId: string, kind: Exclude<FigureKind, 'readers'>, page: number, day: string, amount: number): void {
    this.#addRow({ publication_id: publicationId, kind, page, day, amount })
  }

  addReader(publicationId: string, day: string, reader: string): void {
    this.#readers.set(`${publicationId} ${day} ${reader}`, { publication_id: publicationId, day, reader })
  }

  /** Adds changes that could not be stored. */
  addAll({ figures, readers }: FigureChanges): void {
    for (const row of figures) this.#addRow(row)
    for (const { publication_id, day, reader } of readers) this.addReader(publication_id, day, reader)
  }

  /** Returns all changes and empties the batch. */
  take(): FigureChanges {
    const changes = { figures: [...this.#figures.values()], readers: [...this.#readers.values()] }
    this.#figures.clear()
    this.#readers.clear()
    return changes
  }

  #addRow(row: ReadingFigureRow): void {
    const key = `${row.publication_id} ${row.kind} ${row.page} ${row.day}`
    const amount = (this.#figures.get(key)?.amount ?? 0) + row.amount
    this.#figures.set(key, { ...row, amount })
  }
}
