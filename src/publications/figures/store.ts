import type { Kysely, Transaction } from 'kysely'
import { inTransaction } from '#platform/database/transaction.ts'
import type { DayReaderRow, FigureKind, PublicationsTables, ReadingFigureRow } from '../model/tables.ts'

/** Figures and readers that were counted within a few seconds. */
export type FigureChanges = { figures: readonly ReadingFigureRow[]; readers: readonly DayReaderRow[] }

/** The sum of one kind of a publication's figures. */
export type FigureTotalRow = { publication_id: string; kind: (typeof SUMMED)[number]; amount: number }

/** The sums of a reader link over all days; `lastDay` is the last one on which it was opened. */
export type LinkTotals = Record<FigureKind, number> & { lastDay: string | null }

/** Reading figures of publications and of their reader links, each under its id. */
export type FiguresStore = ReturnType<typeof createFiguresStore>

/** The kinds that are summed up over pages and days. */
export const SUMMED = ['views', 'readers', 'downloads', 'seconds'] as const

export const NO_FIGURES: LinkTotals = { views: 0, readers: 0, downloads: 0, seconds: 0, page: 0, lastDay: null }

/** Rows per statement: a very long document has a figure per page and day. */
const ROWS_PER_STATEMENT = 1000

export function createFiguresStore(db: Kysely<PublicationsTables>) {
  return {
    /** Adds to the figures, and counts readers that are new on their day. Deleted publications are left out. */
    add: (changes: FigureChanges) => inTransaction(db, (transaction) => addFigures(transaction, changes)),

    /** Returns the salt of a day; stores the given one if there is none yet. */
    async saltOf(day: string, fresh: Uint8Array): Promise<Uint8Array> {
      await db
        .insertInto('reader_salts')
        .values({ day, salt: fresh })
        .onConflict((conflict) => conflict.column('day').doNothing())
        .execute()
      const { salt } = await db
        .selectFrom('reader_salts')
        .select('salt')
        .where('day', '=', day)
        .executeTakeFirstOrThrow()
      return salt
    },

    /** Removes the readers and salts of days before the given one, so that readers can no longer be recognized. */
    async forgetReadersBefore(day: string): Promise<void> {
      await db.deleteFrom('reader_salts').where('day', '<', day).execute()
      await db.deleteFrom('day_readers').where('day', '<', day).execute()
    },

    /** Returns the figures of a period, including its first and last day. */
    async find(publicationId: string, from: string, to: string): Promise<ReadingFigureRow[]> {
      return await db
        .selectFrom('reading_figures')
        .selectAll()
        .where('publication_id', '=', publicationId)
        .where('day', '>=', from)
        .where('day', '<=', to)
        .execute()
    },

    /** Returns sums of publications in a period by kind, without pages; kinds without figures are left out. */
    async totals(publicationIds: readonly string[], from: string, to: string): Promise<FigureTotalRow[]> {
      const totals: FigureTotalRow[] = []
      for (let start = 0; start < publicationIds.length; start += ROWS_PER_STATEMENT) {
        const rows = await db
          .selectFrom('reading_figures')
          .select(({ fn }) => ['publication_id', 'kind', fn.sum<number | string>('amount').as('amount')])
          .where('publication_id', 'in', publicationIds.slice(start, start + ROWS_PER_STATEMENT))
          .where('kind', 'in', SUMMED)
          .where('day', '>=', from)
          .where('day', '<=', to)
          .groupBy(['publication_id', 'kind'])
          .execute()
        totals.push(...rows.map((row) => ({ ...row, amount: Number(row.amount) }) as FigureTotalRow))
      }
      return totals
    },

    /** Returns the sums of reader links, without links that have none. */
    ofLinks: (ids: readonly string[]) => totalsOfLinks(db, ids),

    /** Returns the views of publications on all days, without publications that have none. */
    async totalViews(publicationIds: readonly string[]): Promise<Map<string, number>> {
      if (publicationIds.length === 0) return new Map()
      const totals = new Map<string, number>()
      for (let start = 0; start < publicationIds.length; start += ROWS_PER_STATEMENT) {
        const rows = await db
          .selectFrom('reading_figures')
          .select(({ fn }) => ['publication_id', fn.sum<number | string>('amount').as('views')])
          .where('publication_id', 'in', publicationIds.slice(start, start + ROWS_PER_STATEMENT))
          .where('kind', '=', 'views')
          .groupBy('publication_id')
          .execute()
        for (const { publication_id, views } of rows) totals.set(publication_id, Number(views))
      }
      return totals
    },
  }
}

async function totalsOfLinks(db: Kysely<PublicationsTables>, ids: readonly string[]): Promise<Map<string, LinkTotals>> {
  const totals = new Map<string, LinkTotals>()
  for (let start = 0; start < ids.length; start += ROWS_PER_STATEMENT) {
    const rows = await db
      .selectFrom('reading_figures')
      .select(({ fn }) => ['publication_id as id', 'kind', fn.sum<number | string>('amount').as('amount')])
      .select(({ fn }) => fn.max('day').as('lastDay'))
      .where('publication_id', 'in', ids.slice(start, start + ROWS_PER_STATEMENT))
      .groupBy(['publication_id', 'kind'])
      .execute()
    for (const { id, kind, amount, lastDay } of rows) {
      const link = totals.get(id) ?? NO_FIGURES
      totals.set(id, { ...link, [kind]: Number(amount), ...(kind === 'views' && { lastDay }) })
    }
  }
  return totals
}

async function addFigures(
  transaction: Transaction<PublicationsTables>,
  { figures, readers }: FigureChanges,
): Promise<void> {
  const ids = new Set([...figures, ...readers].map(({ publication_id }) => publication_id))
  const there = await findExisting(transaction, [...ids])
  const fresh = await addReaders(
    transaction,
    readers.filter(({ publication_id }) => there.has(publication_id)),
  )
  const added = [...figures.filter(({ publication_id }) => there.has(publication_id)), ...fresh].sort(byKey)
  for (let start = 0; start < added.length; start += ROWS_PER_STATEMENT) {
    await transaction
      .insertInto('reading_figures')
      .values(added.slice(start, start + ROWS_PER_STATEMENT))
      .onConflict((conflict) =>
        conflict
          .columns(['publication_id', 'kind', 'page', 'day'])
          .doUpdateSet((set) => ({ amount: set('reading_figures.amount', '+', set.ref('excluded.amount')) })),
      )
      .execute()
  }
}

/** Returns the publications and reader links that still exist: rows of deleted ones would never be removed. */
async function findExisting(transaction: Transaction<PublicationsTables>, ids: string[]): Promise<Set<string>> {
  const there = new Set<string>()
  for (let start = 0; start < ids.length; start += ROWS_PER_STATEMENT) {
    const some = ids.slice(start, start + ROWS_PER_STATEMENT)
    const rows = await transaction
      .selectFrom('publications')
      .select('id')
      .where('id', 'in', some)
      .where('deleted_at', 'is', null)
      .unionAll(transaction.selectFrom('reader_links').select('id').where('id', 'in', some))
      .execute()
    for (const { id } of rows) there.add(id)
  }
  return there
}

/** Notes who was there. @returns how many of them were not yet that day, as figures to be added */
async function addReaders(
  transaction: Transaction<PublicationsTables>,
  readers: readonly DayReaderRow[],
): Promise<ReadingFigureRow[]> {
  const counts = new Map<string, ReadingFigureRow>()
  for (let start = 0; start < readers.length; start += ROWS_PER_STATEMENT) {
    const rows = await transaction
      .insertInto('day_readers')
      .values(readers.slice(start, start + ROWS_PER_STATEMENT))
      .onConflict((conflict) => conflict.columns(['day', 'publication_id', 'reader']).doNothing())
      .returning(['publication_id', 'day'])
      .execute()
    for (const { publication_id, day } of rows) {
      const key = `${publication_id} ${day}`
      const amount = (counts.get(key)?.amount ?? 0) + 1
      counts.set(key, { publication_id, kind: 'readers', page: 0, day, amount })
    }
  }
  return [...counts.values()]
}

/** Orders rows by key: instances that write the same rows lock them in the same order, and cannot deadlock. */
function byKey(a: ReadingFigureRow, b: ReadingFigureRow): number {
  return keyOf(a) < keyOf(b) ? -1 : 1
}

function keyOf({ publication_id, kind, page, day }: ReadingFigureRow): string {
  return `${publication_id} ${kind} ${String(page).padStart(9, '0')} ${day}`
}
