import type { DatabaseSync } from 'node:sqlite'
import type { CapacitorConnection } from '../../clients/typescript/src/storage/capacitor-sqlite-storage.ts'
import type { ExpoDatabase } from '../../clients/typescript/src/storage/expo-sqlite-storage.ts'
import type { SqlValue } from '../../clients/typescript/src/storage/sqlite-storage.ts'

// The calls of the two SQLite plugins for phones on the SQLite of Node.js: the plugins themselves run on phones only.

/** A database as expo-sqlite 57 opens it. Its calls are asynchronous, and run in the order in which they were made. */
export function expoDatabase(database: DatabaseSync): ExpoDatabase {
  return {
    execAsync: async (source) => database.exec(source),
    runAsync: async (source, params) => ({ changes: Number(database.prepare(source).run(...params).changes) }),
    getAllAsync: async <Result>(source: string, params: SqlValue[]) =>
      database.prepare(source).all(...params) as Result[],
  }
}

/**
 * A connection as @capacitor-community/sqlite 8 opens it. Without
 * `transaction: false`, it puts a transaction around each call.
 */
export function capacitorConnection(database: DatabaseSync): CapacitorConnection {
  const inTransaction = <Result>(transaction: boolean, work: () => Result): Result => {
    if (!transaction) return work()
    database.exec('begin')
    const result = work()
    database.exec('commit')
    return result
  }
  return {
    execute: async (statements, transaction = true) => inTransaction(transaction, () => database.exec(statements)),
    run: async (statement, values = [], transaction = true) => {
      const { changes } = inTransaction(transaction, () => database.prepare(statement).run(...values))
      return { changes: { changes: Number(changes) } }
    },
    query: async (statement, values = []) => ({ values: database.prepare(statement).all(...values) }),
  }
}
