import type { FastifyRequest } from 'fastify'
import type { Logger } from '#platform/basics/logger.ts'
import type { DayReaderRow, ReadingFigureRow } from '../model/tables.ts'
import { asksForPrivacy, isPerson, isReader, KnownSources, NewReaders, type ReaderHash, sourceOf } from './readers.ts'
import { dayOf } from './schemas.ts'
import type { FigureChanges, FiguresStore } from './store.ts'

/** The pages and the time that a reader's page reports. */
type ReadPages = { pages: readonly number[]; seconds: number }

/** The publication that is read, and the reader link by which it is opened, which has figures of its own. */
type ReadThing = { publicationId: string; linkId?: string }

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
  readonly #sources = new KnownSources()
  /** Readers that are being hashed. */
  readonly #hashing = new Set<Promise<void>>()
  #storing: Promise<void> = Promise.resolve()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Counts a view of a public page, unless the request is a prefetch or comes from a program. */
  countView(read: ReadThing, request: CountedRequest): void {
    if (!isReader(request)) return
    const day = dayOf(this.#deps.now())
    this.#add(read, 'views', 0, day, 1)
    const source = sourceOf(request.headers)
    const { publicationId } = read
    if (source !== undefined && this.#sources.mayCount(publicationId, day, source))
      this.#add({ publicationId }, `from ${source}`, 0, day, 1)
    if (!asksForPrivacy(request.headers)) this.#countReader(read, day, request)
  }

  countDownload(read: ReadThing, { method, headers }: CountedRequest): void {
    if (method !== 'GET' || !isPerson(headers)) return
    this.#add(read, 'downloads', 0, dayOf(this.#deps.now()), 1)
  }

  /** Counts the pages and time of a report; `pageCount` is the number of pages of the publication. */
  countReading(read: ReadThing, pageCount: number, { pages, seconds }: ReadPages, request: CountedRequest): void {
    if (!isPerson(request.headers)) return
    const nowMs = this.#deps.now()
    const day = dayOf(nowMs)
    for (const page of new Set(pages)) {
      if (page >= 1 && page <= pageCount) this.#add(read, 'page', page, day, 1)
    }
    const counted = this.#newReaders.secondsToCount(seconds, request.ip, nowMs)
    if (counted > 0) this.#add(read, 'seconds', 0, day, counted)
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

  #add(read: ReadThing, ...[kind, page, day, amount]: Figure): void {
    for (const id of idsOf(read)) {
      this.#batch.add(id, kind, page, day, amount)
      if (this.#batch.size === MAX_ROWS) void this.store().catch(this.#logFailure)
    }
  }

  /** Notes a reader under another hash for each figure, so that what is stored does not tell who used which link. */
  #countReader(read: ReadThing, day: string, { ip, headers }: CountedRequest): void {
    const { readerHash, logger, now } = this.#deps
    const ids = idsOf(read)
    const traits = { address: ip, userAgent: headers['user-agent'] ?? '' }
    const hashing = Promise.all(ids.map((id) => readerHash(day, id, traits)))
      .then((readers) => {
        if (!this.#newReaders.mayCount(readers[0], ip, now())) return
        for (const [at, reader] of readers.entries()) this.#batch.addReader(ids[at], day, reader)
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

type Figure = [kind: Exclude<ReadingFigureRow['kind'], 'readers'>, page: number, day: string, amount: number]

function idsOf({ publicationId, linkId }: ReadThing): string[] {
  return linkId === undefined ? [publicationId] : [publicationId, linkId]
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
  add(publicationId: string, ...[kind, page, day, amount]: Figure): void {
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
