import { type Kysely, sql } from 'kysely'
import { nextUpdate } from '#platform/basics/time.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { LEASE_MS, LeasedQueue, LONG_WORK } from '#platform/jobs/leased-queue.ts'
import { inSpan, rootContext } from '#platform/tracing/spans.ts'
import type { DocumentFacts } from '../model/document-content.ts'
import { CONTENT_FORM, type PublicationsTables, type VersionRow } from '../model/tables.ts'
import { isExternal, isStop, PdfError } from './pdfium/pdf-error.ts'
import type { RenderWorkDeps } from './render-work-deps.ts'

/** Interval of searches: nobody waits for this work. */
const SEARCH_EVERY_MS = 5_000
/** A document is not tried again before, after the database or the store could not be reached. */
const PAUSE_MS = 15_000
/** Pages are drawn this small: their comments are wanted, and not their images. */
const WIDTH = 16
const MAX_COMMENTED_PAGES = 500

/** Literal condition of the index, which is not used with a parameter in its place. */
const isOfEarlierForm = sql<boolean>`content_form is null`

/** Documents that an earlier version of the program has rendered, and that nothing else works on. */
function waiting(db: Kysely<PublicationsTables>) {
  return db
    .selectFrom('versions')
    .innerJoin('publications', 'publications.version_id', 'versions.id')
    .where(isOfEarlierForm)
    .where('has_work', '=', 0)
    .where('status', '=', 'ready')
    .where('publications.deleted_at', 'is', null)
}

type Reread = {
  version: Pick<VersionRow, 'id' | 'blob_key' | 'facts' | 'page_count' | 'text_sha256'>
  stop: AbortController
}

/**
 * Reads documents again whose pages an earlier version of the program has rendered: for their comments, attached files,
 * forms and language, which it did not know. One document at a time, after everything else that is to be rendered. The
 * row of a version is the job. Images and texts stay as they are. Recognition then looks through them again, and adds
 * text to a PDF made of images whose words that version had recognised.
 */
export class RereadQueue extends LeasedQueue<Reread> {
  readonly #deps: RenderWorkDeps
  #work: Reread | undefined

  constructor(deps: RenderWorkDeps) {
    const { logger } = deps
    super({
      noun: 'documents to read again',
      searchEveryMs: SEARCH_EVERY_MS,
      ...LONG_WORK,
      logger,
    })
    this.#deps = deps
  }

  protected override stopWork(): void {
    this.#work?.stop.abort()
  }

  /** Returns the number of documents that are still to be read again. */
  async countWaiting(): Promise<number> {
    const { count } = await waiting(this.#deps.db)
      .select((select) => select.fn.countAll<number | string>().as('count'))
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  protected async search(): Promise<void> {
    const { db, now, versions } = this.#deps
    if (this.#work !== undefined || (await versions.countWaiting()) > 0) return
    const nowMs = now()
    const isFree = sql<boolean>`(lease_until is null or lease_until <= ${nowMs})`
    const found = await waiting(db)
      .select('versions.id')
      .where(isFree)
      .orderBy('versions.created_at')
      .limit(1)
      .execute()
    if (found.length === 0) return
    const version = await db
      .updateTable('versions')
      .set({ lease_owner: this.leaseOwner, lease_until: nowMs + LEASE_MS })
      .where('id', '=', found[0].id)
      .where(isOfEarlierForm)
      .where('has_work', '=', 0)
      .where(isFree)
      .returning(['id', 'blob_key', 'facts', 'page_count', 'text_sha256'])
      .executeTakeFirst()
    // Another instance was faster.
    if (version === undefined) return this.wakeIn(LONG_WORK.extendEveryMs)
    this.#work = { version, stop: new AbortController() }
    if (this.isClosed) this.#work.stop.abort()
    this.take(this.#work)
  }

  protected async run(work: Reread): Promise<void> {
    const { logger, versions, now } = this.#deps
    const { id } = work.version
    try {
      await inSpan('read document again', { attributes: {}, within: rootContext() }, () => this.#reread(work))
    } catch (err) {
      const isStopped = work.stop.signal.aborted
      if (!isStopped) logger.warn({ err, versionId: id }, 'a document could not be read again')
      // A file that cannot be read keeps the facts known of it.
      const end = isExternal(err)
        ? versions.release(id, this.leaseOwner, isStopped ? null : now() + PAUSE_MS, true)
        : this.#record(work, {})
      await end.catch((error) => logger.warn({ err: error }, 'the lease of a document could not be released'))
    } finally {
      this.#work = undefined
    }
  }

  async #reread(work: Reread): Promise<void> {
    const { localDocuments, renderer, languageDetector } = this.#deps
    const { id, blob_key, page_count } = work.version
    const { signal } = work.stop
    await using document = await localDocuments.localDocument(blob_key)
    // Nobody waits for it.
    const wanted = new Promise<void>(() => {})
    const facts = await renderer.inspect(document.path, { wanted })
    if (facts.pageCount !== page_count) return await this.#record(work, {})
    const comments = new Map<number, string>()
    const { finished } = renderer.renderPages(
      document.path,
      Array.from({ length: page_count }, (_, at) => at + 1),
      {
        width: WIDTH,
        wanted,
        signal,
        onPage(result) {
          if (result.failed !== undefined) {
            if (isStop(result.failed)) throw new PdfError(result.failed)
            return
          }
          result.free()
          const found = result.content?.comments
          if (found && comments.size < MAX_COMMENTED_PAGES) comments.set(result.page, found)
        },
      },
    )
    await finished
    await this.#record(work, { facts, comments })
    await languageDetector.detect(id)
  }

  /** Writes the findings down. The publication is locked first, as by its other changes. */
  async #record(
    { version: { id, facts: before, text_sha256 } }: Reread,
    { facts, comments = new Map() }: { facts?: DocumentFacts; comments?: ReadonlyMap<number, string> },
  ): Promise<void> {
    const { db, now } = this.#deps
    const { detectedLanguage } = JSON.parse(before) as DocumentFacts
    const found = facts && JSON.stringify({ ...facts, ...(detectedLanguage && { detectedLanguage }) })
    const isNews = comments.size > 0 || (found !== undefined && found !== before)
    await inTransaction(db, async (transaction) => {
      const publication = await transaction
        .selectFrom('publications')
        .innerJoin('versions', 'versions.publication_id', 'publications.id')
        .select(['publications.id', 'updated_at'])
        .where('versions.id', '=', id)
        .where('lease_owner', '=', this.leaseOwner)
        .forUpdate()
        .executeTakeFirst()
      if (publication === undefined) return
      for (const [page, text] of comments)
        await transaction
          .updateTable('pages')
          .set({ comments: text })
          .where('version_id', '=', id)
          .where('page', '=', page)
          .execute()
      await transaction
        .updateTable('versions')
        .set({ content_form: CONTENT_FORM, lease_owner: null, lease_until: null, ...(found && { facts: found }) })
        .$if(text_sha256 === null, (update) => update.set({ recognized_at: null }))
        .where('id', '=', id)
        .execute()
      if (!isNews) return
      await transaction
        .updateTable('publications')
        .set({ updated_at: nextUpdate(publication, now()) })
        .where('id', '=', publication.id)
        .execute()
    })
  }

  protected override async extendLeases(): Promise<void> {
    const { versions, now } = this.#deps
    const work = this.#work
    if (work === undefined) return
    const held = await versions.extendLeases([work.version.id], this.leaseOwner, now() + LEASE_MS)
    // The document was deleted, or taken over while this process was suspended.
    if (held.length === 0 && this.#work === work) work.stop.abort()
  }
}
