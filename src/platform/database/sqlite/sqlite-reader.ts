import { DatabaseSync } from 'node:sqlite'
import type { SqlValue, StatementResult } from './sqlite-messages.ts'
import { applyReaderPragmas } from './sqlite-pragmas.ts'
import { cachedStatements } from './sqlite-statements.ts'

/** A connection that reads on the calling thread. Each statement sees everything committed before it. */
export type SqliteReader = {
  run(sql: string, parameters: readonly unknown[]): StatementResult
  forgetStatements(): void
  close(): void
}

/** Opens a reader on a file that exists. Throws what `node:sqlite` throws. */
export function openSqliteReader(file: string): SqliteReader {
  const database = new DatabaseSync(file, { readOnly: true })
  applyReaderPragmas(database)
  const statements = cachedStatements(database)
  return {
    run: (sql, parameters) => statements.run(sql, parameters as readonly SqlValue[]),
    forgetStatements: () => statements.clear(),
    close: () => {
      if (database.isOpen) database.close()
    },
  }
}
