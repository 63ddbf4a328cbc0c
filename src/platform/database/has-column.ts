import type { Kysely } from 'kysely'

/** Tells whether a table has a column, for those who read databases that an earlier version may have left. */
export async function hasColumn<Tables>(db: Kysely<Tables>, table: string, column: string): Promise<boolean> {
  const tables = await db.introspection.getTables()
  return tables.some(({ name, columns }) => name === table && columns.some((found) => found.name === column))
}
