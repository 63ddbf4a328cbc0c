import { LRUCache } from 'lru-cache'
import { type Notices, NotifiedCache } from '#platform/database/notices.ts'
import type { DocumentFacts } from '../model/document-content.ts'
import { authorFromFile } from '../model/fields.ts'
import type { FilesStore, VersionFile } from '../model/files-store.ts'
import { imageSize, PAGE_WIDTH } from '../model/image-forms.ts'
import type { Publication } from '../model/publication-rows.ts'
import type { PublicationsStore } from '../model/publications-store.ts'
import { addressesEnd, type Opened } from '../model/reading.ts'
import { type Statements, shownStatements } from '../model/statements.ts'
import type { PageAddresses } from './addresses.ts'

/** The answers of `GET /publications/:slug/images`, ready to be sent. */
export type ImageListCache = ReturnType<typeof createImageListCache>

/** A list takes about 110 bytes per page. */
const MAX_PAGES = 100_000

/**
 * Builds lists of addresses and keeps the most recently used: computing the addresses of 5,000 pages takes about 15 ms,
 * and anyone may request them a hundred times a second.
 */
export function createImageListCache(pageAddresses: PageAddresses, cdn: () => string, now: () => number) {
  const kept = new LRUCache<string, { json: Buffer; pages: number }>({
    maxSize: MAX_PAGES,
    sizeCalculation: ({ pages }) => pages,
  })

  function build(file: VersionFile & Opened, untilMs: number | undefined): Buffer {
    const images = Array.from(
      { length: file.pageCount },
      (_, at) => cdn() + pageAddresses.pathOf({ ...file, untilMs, page: at + 1 }),
    )
    return Buffer.from(JSON.stringify({ images }))
  }

  return {
    /** Returns the JSON of `{images}`: the address of every page's image, in page order. */
    jsonOf(file: VersionFile & Opened): Buffer {
      const untilMs = addressesEnd(file, now())
      const key = `${file.versionId} ${file.epoch} ${untilMs} ${file.linkId}`
      const known = kept.get(key)
      if (known !== undefined) return known.json
      const json = build(file, untilMs)
      kept.set(key, { json, pages: file.pageCount })
      return json
    },
  }
}

/**
 * Facts of a publication's file for its readers: language, author, description, findings, metadata,
 * outline, and pages with their addresses.
 */
export type ReaderFactsCache = ReturnType<typeof createReaderFactsCache>

/** A page takes about 250 characters. */
const MAX_CHARACTERS = 16_000_000

/**
 * Builds the part of a publication's JSON that seldom changes, and keeps the most recently used: building it for 5,000
 * pages takes about 30 ms, and anyone may request it a hundred times a second.
 */
export function createReaderFactsCache(
  publications: PublicationsStore,
  pageAddresses: PageAddresses,
  cdn: () => string,
  now: () => number,
) {
  const kept = new LRUCache<string, string>({ maxSize: MAX_CHARACTERS, sizeCalculation: ({ length }) => length })

  async function build(publication: Publication & Opened, untilMs: number | undefined): Promise<string> {
    const facts = await publications.facts(publication.version_id)
    return JSON.stringify({
      ...shownStatements(publication, facts),
      metadata: publishedMetadata(publication, facts),
      ...factsJson(facts, (page) => imageAddress(publication, page, untilMs)),
    }).slice(1, -1)
  }

  return {
    /**
     * Returns the members of a JSON object, without its braces.
     * @throws publicationNotFound if the publication has been removed
     */
    async membersOf(publication: Publication & Opened): Promise<string> {
      const { version_id, epoch, updated_at, language, author, description } = publication
      const { author_from_file, description_from_file } = publication
      const own = [language, author, description, author_from_file, description_from_file]
      const untilMs = addressesEnd(publication, now())
      const key = JSON.stringify([version_id, epoch, updated_at, untilMs, publication.linkId, ...own])
      const members = kept.get(key) ?? (await build(publication, untilMs))
      kept.set(key, members)
      return members
    },
  }

  function imageAddress(publication: Publication & Opened, page: number, untilMs?: number): string {
    const { id: publicationId, version_id: versionId, sha256, epoch, linkId } = publication
    return cdn() + pageAddresses.pathOf({ publicationId, versionId, sha256, epoch, page, untilMs, linkId })
  }
}

/** Returns the metadata of a file without statements that its owner does not publish. */
function publishedMetadata(own: Statements, { metadata }: DocumentFacts) {
  const { title, author, subject, keywords } = metadata
  return {
    title,
    author: own.author_from_file === 1 ? authorFromFile(author) : undefined,
    subject: own.description_from_file === 1 ? subject : undefined,
    keywords,
  }
}

function factsJson(facts: DocumentFacts, imageAddress: (page: number) => string) {
  return {
    findings: facts.findings,
    outline: facts.outline,
    attachments: facts.attachments ?? [],
    pages: facts.pages.map(({ widthPt, heightPt, label }, at) => ({
      page: at + 1,
      ...imageSize({ widthPt, heightPt }, PAGE_WIDTH),
      width_pt: widthPt,
      height_pt: heightPt,
      label,
      image: imageAddress(at + 1),
    })),
  }
}

/** An answer is given from memory for at most this long: a notice that another process unpublished may be missed. */
const LIFETIME_MS = 500
const MAX_ENTRIES = 10_000

/** Topic of the notice that a publication was unpublished or deleted, or that its access changed. */
const PUBLICATION_CHANGED = 'publication-changed'

/**
 * Files of published versions by version, kept for a moment so that images are delivered without a query each. A file
 * that nobody may read is never answered from memory.
 */
export class DeliveredFiles {
  readonly #files: NotifiedCache<VersionFile>

  constructor(files: FilesStore, notices: Notices | undefined, now: () => number) {
    this.#files = new NotifiedCache({
      find: (versionId) => files.findForReaders(versionId),
      isKept: ({ rules }) => rules.unpublished_at === null,
      topic: PUBLICATION_CHANGED,
      notices,
      nowMs: now,
      lifetimeMs: LIFETIME_MS,
      maxEntries: MAX_ENTRIES,
    })
  }

  /** Returns the file in memory; undefined where the database has to be asked. */
  peek(versionId: string): VersionFile | undefined {
    return this.#files.peek(versionId)
  }

  /** Asks the database, once for all requests at the same time. */
  find(versionId: string): Promise<VersionFile | undefined> {
    return this.#files.refresh(versionId)
  }

  /**
   * Announces that a publication was unpublished or deleted, or that its access changed: this instance refuses its
   * images at once, the others as soon as the notice arrives.
   */
  async announceChange(publicationId: string): Promise<void> {
    // Without the notice, others take half a second longer.
    await this.#files.announceChange(publicationId).catch(() => {})
  }

  close(): void {
    this.#files.close()
  }
}
