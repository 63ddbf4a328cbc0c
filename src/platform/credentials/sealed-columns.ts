import type { Kysely } from 'kysely'
import { deriveKeys, type Keys, type Secrets } from '../basics/secrets.ts'
import { openSealed, sealToken } from './token.ts'

/** A column with sealed texts, which are sealed again when the secret of the installation changes. */
export type SealedColumn = {
  table: string
  /** Its primary key, of one column. */
  id: string
  column: string
  /** The purpose for which its keys are derived. */
  purpose: string
}

/** Rows read at a time: few enough to hold up nobody, whose texts have some hundred bytes each. */
const ROWS_PER_STEP = 500

/** The sealed texts of a column, by the secret that opens them. */
export type SealedCount = {
  table: string
  column: string
  /** Copies that each secret opens, in the order of the secrets. */
  bySecret: number[]
  /** Copies that none of the secrets opens. */
  unreadable: number
}

type SealedRow = { id: string; sealed: Uint8Array }

/** Counts the sealed texts of a column by the secret that opens them. */
export async function countSealed(
  db: Kysely<never>,
  sealedColumn: SealedColumn,
  secrets: Secrets,
): Promise<SealedCount> {
  const keys = deriveKeys(secrets, sealedColumn.purpose)
  const { table, column } = sealedColumn
  const count: SealedCount = { table, column, bySecret: secrets.map(() => 0), unreadable: 0 }
  for await (const { sealed } of rowsOf(db, sealedColumn)) {
    const opened = openSealed(sealed, keys)
    if (opened === undefined) count.unreadable++
    else count.bySecret[opened.keyIndex]!++
  }
  return count
}

/**
 * Seals again, with the newest secret, the texts of a column that an older one opens. Every row is a
 * write of its own that keeps what it replaces unless it is still there, so it may be interrupted,
 * repeated, and run beside instances that write.
 * @returns the number of texts that were sealed again
 */
export async function resealWithNewest(
  db: Kysely<never>,
  sealedColumn: SealedColumn,
  secrets: Secrets,
): Promise<number> {
  const keys = deriveKeys(secrets, sealedColumn.purpose)
  let resealed = 0
  for await (const row of rowsOf(db, sealedColumn)) {
    const opened = openSealed(row.sealed, keys)
    if (opened !== undefined && opened.keyIndex > 0)
      resealed += await replaceSealed(db, sealedColumn, row, opened.text, keys)
  }
  return resealed
}

async function replaceSealed(
  db: Kysely<never>,
  { table, id, column }: SealedColumn,
  row: SealedRow,
  text: string,
  keys: Keys,
): Promise<number> {
  const { numUpdatedRows } = await untyped(db)
    .updateTable(table)
    .set({ [column]: sealToken(text, keys) })
    .where(id, '=', row.id)
    .where(column, '=', row.sealed)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Reads a column in the order of its ids, a step at a time. */
async function* rowsOf(db: Kysely<never>, { table, id, column }: SealedColumn): AsyncGenerator<SealedRow> {
  let last = ''
  for (;;) {
    const rows = (await untyped(db)
      .selectFrom(table)
      .select([`${id} as id`, `${column} as sealed`])
      .where(column, 'is not', null)
      .where(id, '>', last)
      .orderBy(id)
      .limit(ROWS_PER_STEP)
      .execute()) as SealedRow[]
    yield* rows
    if (rows.length < ROWS_PER_STEP) return
    last = rows.at(-1)!.id
  }
}

/** Sees a database as one of tables that are named at run time. */
function untyped(db: Kysely<never>): Kysely<Record<string, Record<string, unknown>>> {
  return db as unknown as Kysely<Record<string, Record<string, unknown>>>
}
