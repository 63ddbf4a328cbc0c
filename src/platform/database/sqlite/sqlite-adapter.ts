import { SqliteAdapter } from 'kysely'

/**
 * Allows several connections. Kysely assumes that SQLite has one and makes its users queue for it. Here, the reader
 * never waits for the writer, and the writer has its own queue.
 */
export class TwoConnectionSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}
