import { DatabaseSync } from 'node:sqlite'
import type { Readable } from 'node:stream'
import type { Kysely } from 'kysely'
import { type Migration, presentNames } from './migrate.ts'

/** A table at the time of a snapshot. */
export type SnapshotTable = { name: string; columns: string[]; rows: number }

/** A file that a snapshot consists of: a whole SQLite database, or a table of PostgreSQL in the text format of COPY. */
export type SnapshotFile = {
  /** Name for people, such as `tracks.sqlite`. */
  name: string
  /** The one table in it; undefined if it has all. */
  table: string | undefined
  /** Reads the file. To be read to its end before anything else of the snapshot is. */
  read(): Promise<Readable>
}

/** A service's database as it was at one moment, while others go on writing. */
export type DatabaseSnapshot = {
  name: string
  /** Names of the applied migrations, in order. */
  migrations: string[]
  /** All tables except the table of migrations. */
  tables: SnapshotTable[]
  files: SnapshotFile[]
  /** Reads the database as it was. Nothing may be written. */
  db: Kysely<unknown>
}

/** Name of the table that `migrate` keeps, which a restored database gets by migrating. */
export const MIGRATIONS_TABLE = 'migrations'

type Tables = { name: string; tables: readonly SnapshotTable[] }

/**
 * Requires that a snapshot has the tables and columns of the schema it is for, in any order.
 * @throws Error that names one
 */
export function requireSameColumns(source: Tables, target: readonly SnapshotTable[]): void {
  const wanted = new Map(target.map((table) => [table.name, table]))
  for (const { name, columns } of source.tables) {
    const found = wanted.get(name)
    if (found === undefined) throw new Error(`${source.name} has no table ${name} in this version`)
    if (columns.toSorted().join() !== found.columns.toSorted().join())
      throw new Error(`${source.name}.${name} has other columns than its version has: ${columns.join(', ')}`)
    wanted.delete(name)
  }
  for (const name of wanted.keys()) throw new Error(`${source.name} lacks the table ${name}`)
}

/** Requires that tables have as many rows as they had. @throws Error that names one */
export function requireSameRows(source: Tables, target: readonly SnapshotTable[]): void {
  const counts = new Map(target.map(({ name, rows }) => [name, rows]))
  for (const { name, rows } of source.tables) {
    if (counts.get(name) !== rows)
      throw new Error(`${source.name}.${name} has ${counts.get(name)} rows in place of ${rows}`)
  }
}

/**
 * Returns the migrations that a stored database has had, by their names.
 * @throws Error if this program does not know them, or not in this order: a newer program has stored the database; or
 * one that had run only some of the migrations that have been replaced since
 */
export function migrationsUntil(
  migrations: Record<string, Migration>,
  { name, migrations: applied }: { name: string; migrations: readonly string[] },
): Record<string, Migration> {
  const known = Object.keys(migrations).sort()
  const names = presentNames(applied, migrations)
  const unknown = names.find((migration, index) => migration !== known[index])
  if (unknown !== undefined)
    throw new Error(
      `The database ${name} is at version ${applied.at(-1)}, and this program knows versions up to ${known.at(-1)}. ` +
        'Restore it with the program that stored it, or a newer one',
    )
  return Object.fromEntries(names.map((migration) => [migration, migrations[migration]]))
}

/** Quotes a name for SQL, on both engines. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** A stored database as texts, from which either engine can be filled. */
export type TableTexts = {
  name: string
  /** Names of the applied migrations, which determine its tables. */
  migrations: readonly string[]
  tables: readonly SnapshotTable[]
  /** Reads a table in the text format of COPY, with the columns in the order of `tables`. */
  text(table: SnapshotTable): AsyncIterable<Uint8Array>
}

/** Rows that are handed over together, of some hundred bytes to some hundred kilobytes each. */
const ROWS_PER_PIECE = 64

/** Reads the tables of a SQLite file, which must not change, as texts. */
export function textsOfSqlite(file: string, database: Pick<TableTexts, 'name' | 'migrations' | 'tables'>): TableTexts {
  return { ...database, text: (table) => tableText(file, table) }
}

async function* tableText(file: string, { name, columns }: SnapshotTable): AsyncGenerator<Buffer> {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const statement = database.prepare(`select ${columns.map(quoteName).join(', ')} from ${quoteName(name)}`)
    statement.setReadBigInts(true)
    statement.setReturnArrays(true)
    let piece: string[] = []
    for (const row of statement.iterate()) {
      piece.push(encodeCopyRow(row as unknown as StoredValue[]))
      if (piece.length < ROWS_PER_PIECE) continue
      yield Buffer.from(piece.join(''))
      piece = []
    }
    yield Buffer.from(piece.join(''))
  } finally {
    database.close()
  }
}

/** A value of a row as it is stored: numbers as `node:sqlite` reads them, whole ones also as bigint. */
export type StoredValue = null | number | bigint | string | Uint8Array

/** The kinds of columns in our schemas. Both engines name them alike, except for bytes. */
export type ColumnKind = 'text' | 'whole' | 'double' | 'bytes'

const NEWLINE = 0x0a

/** Characters that stand for themselves only behind a backslash. */
const ESCAPES: Record<string, string> = {
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
}
const UNESCAPES: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

/**
 * Encodes a row in the text format of PostgreSQL's COPY
 * (https://www.postgresql.org/docs/current/sql-copy.html#id-1.9.3.55.9.2): fields between tabs, `\N` for null.
 */
export function encodeCopyRow(values: readonly StoredValue[]): string {
  return `${values.map(encodeField).join('\t')}\n`
}

function encodeField(value: StoredValue): string {
  if (value === null) return '\\N'
  if (typeof value === 'string') return value.replace(/[\\\b\f\n\r\t\v]/g, (character) => ESCAPES[character])
  if (value instanceof Uint8Array)
    return `\\\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`
  return Object.is(value, -0) ? '-0' : String(value)
}

/**
 * Decodes rows in the text format of COPY, as they arrive. Whole numbers become bigint, so that none is rounded.
 * @throws Error that names the row if it has too few or too many fields
 */
export async function* decodeCopyRows(
  source: AsyncIterable<Uint8Array>,
  kinds: readonly ColumnKind[],
): AsyncGenerator<StoredValue[]> {
  let row = 0
  for await (const line of lines(source)) {
    row++
    const fields = line.toString('utf8').split('\t')
    if (fields.length !== kinds.length)
      throw new Error(`Row ${row} has ${fields.length} columns in place of ${kinds.length}`)
    yield fields.map((field, column) => decodeField(field, kinds[column]))
  }
}

function decodeField(field: string, kind: ColumnKind): StoredValue {
  if (field === '\\N') return null
  if (kind === 'whole') return BigInt(field)
  if (kind === 'double') return Number(field)
  const text = field.includes('\\') ? field.replace(/\\(.)/gs, (_, escaped) => UNESCAPES[escaped] ?? escaped) : field
  return kind === 'text' ? text : decodeBytes(text)
}

/** Decodes `\x0102`. `Buffer.from` would end at the first character that is no digit. */
function decodeBytes(text: string): Uint8Array {
  if (!/^\\x(?:[0-9a-f]{2})*$/i.test(text)) throw new Error('A column of bytes has something else')
  return Buffer.from(text.slice(2), 'hex')
}

/** Splits bytes into lines. A newline within a value is escaped, so each one ends a row. */
async function* lines(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let begun: Buffer[] = []
  for await (const bytes of source) {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const piece = chunk.subarray(start, end)
      yield begun.length === 0 ? piece : Buffer.concat([...begun, piece])
      begun = []
      start = end + 1
    }
    // Copied, because the source may use its memory again.
    if (start < chunk.length) begun.push(Buffer.from(chunk.subarray(start)))
  }
  if (begun.length > 0) throw new Error('The last row is not complete')
}
