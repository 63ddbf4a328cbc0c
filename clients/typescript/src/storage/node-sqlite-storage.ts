import type { QueueStorage } from './queue-storage.ts'
import { type SqlValue, sqliteStorage } from './sqlite-storage.ts'

/** The part of `DatabaseSync` of `node:sqlite` that the queue uses; that of better-sqlite3 is the same. */
export type NodeDatabase = {
  exec(statements: string): unknown
  prepare(statement: string): {
    run(...values: SqlValue[]): { changes: number | bigint }
    all(...values: SqlValue[]): unknown[]
  }
}

/** Creates storage in a database of Node.js: `await nodeSqliteStorage(new DatabaseSync('tracks.db'))`. */
export function nodeSqliteStorage(database: NodeDatabase): Promise<QueueStorage> {
  const prepared = new Map<string, ReturnType<NodeDatabase['prepare']>>()
  function prepare(statement: string) {
    const known = prepared.get(statement) ?? database.prepare(statement)
    prepared.set(statement, known)
    return known
  }
  return sqliteStorage({
    execute: async (statements) => database.exec(statements),
    run: async (statement, values) => Number(prepare(statement).run(...values).changes),
    all: async (statement, values) => prepare(statement).all(...values) as { key: string; value: string }[],
  })
}
