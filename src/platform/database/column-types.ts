import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely'

/**
 * Column type for bytes, the only type that the engines name differently. Migrations use it together with `text`,
 * `bigint` (whole numbers and milliseconds) and `double precision`, which mean the same on both.
 * SQLite loses the sign of zero in a column of doubles. Numbers whose sign of zero matters are stored as bytes.
 */
export function bytesType(db: Kysely<unknown>): RawBuilder<unknown> {
  return db.getExecutor().adapter instanceof PostgresAdapter ? sql`bytea` : sql`blob`
}
