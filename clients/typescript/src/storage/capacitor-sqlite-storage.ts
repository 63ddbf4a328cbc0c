import type { QueueStorage } from './queue-storage.ts'
import { type SqlValue, sqliteStorage } from './sqlite-storage.ts'

/** The part of @capacitor-community/sqlite's `SQLiteDBConnection` that the queue uses. */
export type CapacitorConnection = {
  execute(statements: string, transaction?: boolean): Promise<unknown>
  run(
    statement: string,
    // biome-ignore lint/suspicious/noExplicitAny: the type of the plugin.
    values?: any[],
    transaction?: boolean,
  ): Promise<{ changes?: { changes?: number } }>
  // biome-ignore lint/suspicious/noExplicitAny: the type of the plugin.
  query(statement: string, values?: any[]): Promise<{ values?: any[] }>
}

/** Creates storage in an open connection of the Capacitor SQLite plugin that nothing else uses. */
export function capacitorSqliteStorage(connection: CapacitorConnection): Promise<QueueStorage> {
  return sqliteStorage({
    execute: (statements) => connection.execute(statements, false),
    run: async (statement, values) => (await connection.run(statement, values, false)).changes?.changes ?? 0,
    all: async (statement, values: SqlValue[]) =>
      withoutColumnNames((await connection.query(statement, values)).values),
  })
}

/** On iOS the plugin passes a first row on that names the columns; its wrapper removes it, other callers may not. */
function withoutColumnNames(rows: { key: string; value: string }[] = []): { key: string; value: string }[] {
  return rows.filter((row) => !('ios_columns' in row))
}
