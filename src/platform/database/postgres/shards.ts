import { type Kysely, sql } from 'kysely'
import type { Pool } from 'pg'

/** Tells whether tables of the schema are spread over the workers of a Citus cluster. */
export async function hasSpreadTables(pool: Pool, schema: string): Promise<boolean> {
  const { rows } = await pool.query("select from pg_extension where extname = 'citus'")
  if (rows.length === 0) return false
  const spread = await pool.query(
    `select from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
     join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and p.partmethod = 'h'`,
    [schema],
  )
  return spread.rows.length > 0
}

/** Returns the shard that holds the rows of a spread table with this value. */
export async function shardOf<Tables>(db: Kysely<Tables>, table: string, value: string): Promise<number> {
  const { rows } = await sql<{ shard: number }>`
    select get_shard_id_for_distribution_column(cast(${table} as regclass), cast(${value} as text)) as shard`.execute(
    db,
  )
  return rows[0].shard
}

/** Returns the size of the tables of a schema with their indexes, on all machines. */
export async function sizeOfSchema<Tables>(
  db: Kysely<Tables>,
  schema: string,
  isDistributed: boolean,
): Promise<number> {
  const size = isDistributed
    ? sql`case when c.oid in (select logicalrelid from pg_dist_partition) then citus_total_relation_size(c.oid)
        else pg_total_relation_size(c.oid) end`
    : sql`pg_total_relation_size(c.oid)`
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(${size}), 0) as bytes
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = ${schema} and c.relkind in ('r', 'm', 'p')`.execute(db)
  return rows[0].bytes
}

/**
 * Estimates the rows of each table of a schema as the last analyze did, or before the first as the server's statistics
 * do. Spread tables are left out: this machine knows nothing of their rows.
 */
export async function estimateRowsOfSchema<Tables>(
  db: Kysely<Tables>,
  schema: string,
  isDistributed: boolean,
): Promise<Map<string, number>> {
  const isHere = isDistributed
    ? sql`c.oid not in (select logicalrelid from pg_dist_partition where partmethod = 'h')`
    : sql`true`
  const { rows } = await sql<{ name: string; estimate: number }>`
    select c.relname as name,
      case when c.reltuples > 0 then c.reltuples::float8 else pg_stat_get_live_tuples(c.oid)::float8 end as estimate
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = ${schema} and c.relkind = 'r' and ${isHere}`.execute(db)
  return new Map(rows.map(({ name, estimate }) => [name, Math.round(estimate)]))
}
