import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely'

/**
 * The column type for bytes, the one type the engines name differently. Use for migrations, beside `text`, `bigint`
 * (whole numbers and milliseconds) and `double precision`, which mean the same on both.
 * SQLite keeps no sign of zero in a column of doubles; where it matters, numbers are kept as bytes.
 */
export function bytesType(db: Kysely<unknown>): RawBuilder<unknown> {
  return db.getExecutor().adapter instanceof PostgresAdapter ? sql`bytea` : sql`blob`
}
