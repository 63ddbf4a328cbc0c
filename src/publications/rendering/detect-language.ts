import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { threadPool } from '#platform/basics/thread-pool.ts'
import { nextUpdate } from '#platform/basics/time.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import type { DocumentFacts } from '../model/document-content.ts'
import { documentLanguage } from '../model/statements.ts'
import type { PublicationsTables } from '../model/tables.ts'

/** The first pages with text, and the beginning of each, tell the language of a document. */
const MAX_PAGES = 20
const MAX_CHARACTERS = 2_000
/** Fewer characters on a page have too few letters to tell a language, and are not worth a thread. */
const MIN_CHARACTERS = 60

const IDLE_MS = 5_000
const MAX_HEAP_MB = 128
const TIME_LIMIT_MS = 30_000

/** Detects the language of documents whose files state none, from the text of their first pages. */
export type LanguageDetector = ReturnType<typeof createLanguageDetector>

export function createLanguageDetector(db: Kysely<PublicationsTables>, now: () => number) {
  const pool = threadPool<string[], string | undefined>(new URL('./detect-language-worker.ts', import.meta.url), {
    run: 'detectLanguage',
    maxThreads: 1,
    idleMs: IDLE_MS,
    heapMb: MAX_HEAP_MB,
  })
  return {
    /**
     * Writes down the language of a version's text. Nothing changes if its file states one, it is known, or the text
     * that there is so far does not tell: whoever adds text asks again.
     */
    async detect(versionId: string): Promise<void> {
      const facts = await findFacts(db, versionId)
      if (facts === undefined || documentLanguage(facts.language) !== undefined || facts.detectedLanguage) return
      const texts = await beginnings(db, versionId)
      if (texts.length === 0) return
      // A text that the thread cannot look at is in no language, and no reason to render the document again.
      const detected = await pool.run(texts, { signal: AbortSignal.timeout(TIME_LIMIT_MS) }).catch(() => undefined)
      const language = documentLanguage(detected)
      if (language !== undefined) await record(db, versionId, { ...facts, detectedLanguage: language }, now())
    },
    close: () => pool.destroy(),
  }
}

async function findFacts(db: Kysely<PublicationsTables>, versionId: string): Promise<DocumentFacts | undefined> {
  const row = await db.selectFrom('versions').select('facts').where('id', '=', versionId).executeTakeFirst()
  return row && (JSON.parse(row.facts) as DocumentFacts)
}

/** Returns the beginnings of the first pages with text that may tell a language. */
async function beginnings(db: Kysely<PublicationsTables>, versionId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('pages')
    .select(sql<string>`substr(text, 1, ${sql.lit(MAX_CHARACTERS)})`.as('text'))
    .where('version_id', '=', versionId)
    .where('text', '<>', '')
    .orderBy('page')
    .limit(MAX_PAGES)
    .execute()
  return rows.map(({ text }) => text).filter(({ length }) => length >= MIN_CHARACTERS)
}

/**
 * Else, the facts of a version change only when it is read again. The publication is locked first, as by its other
 * changes.
 */
async function record(
  db: Kysely<PublicationsTables>,
  versionId: string,
  facts: DocumentFacts,
  nowMs: number,
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const publication = await transaction
      .selectFrom('publications')
      .innerJoin('versions', 'versions.publication_id', 'publications.id')
      .select(['publications.id', 'updated_at'])
      .where('versions.id', '=', versionId)
      .where('publications.deleted_at', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (publication === undefined) return
    await transaction
      .updateTable('versions')
      .set({ facts: JSON.stringify(facts) })
      .where('id', '=', versionId)
      .execute()
    await transaction
      .updateTable('publications')
      .set({ updated_at: nextUpdate(publication, nowMs) })
      .where('id', '=', publication.id)
      .execute()
  })
}
