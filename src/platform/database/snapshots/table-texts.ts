import { DatabaseSync } from 'node:sqlite'
import { encodeCopyRow, type StoredValue } from './copy-text.ts'
import type { SnapshotTable } from './snapshot.ts'
import { quoteName } from './sqlite-snapshot.ts'

/** A stored database as texts, from which either engine can be filled. */
export type TableTexts = {
  name: string
  /** Names of the applied migrations, which say what its tables look like. */
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
