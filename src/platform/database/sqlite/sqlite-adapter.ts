import { SqliteAdapter } from 'kysely'

/**
 * Kysely takes SQLite for a database with one connection and lets its users queue for it. Ours has a reader that never
 * waits for the writer, and the writer keeps its own queue.
 */
export class TwoConnectionSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}
