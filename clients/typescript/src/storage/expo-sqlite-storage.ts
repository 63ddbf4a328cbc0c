import type { QueueStorage } from './queue-storage.ts'
import { type SqlValue, sqliteStorage } from './sqlite-storage.ts'

/** The part of expo-sqlite's `SQLiteDatabase` that the queue uses. */
export type ExpoDatabase = {
  execAsync(source: string): Promise<void>
  runAsync(source: string, params: SqlValue[]): Promise<{ changes: number }>
  getAllAsync<Result>(source: string, params: SqlValue[]): Promise<Result[]>
}

/**
 * Creates storage in a database of expo-sqlite:
 * `await expoSqliteStorage(await openDatabaseAsync('tracks.db'))`. Open the file for the queue alone, because a
 * transaction of the app on the same connection would include the queue's writes.
 */
export function expoSqliteStorage(database: ExpoDatabase): Promise<QueueStorage> {
  return sqliteStorage({
    execute: (statements) => database.execAsync(statements),
    run: async (statement, values) => (await database.runAsync(statement, values)).changes,
    all: (statement, values) => database.getAllAsync(statement, values),
  })
}
