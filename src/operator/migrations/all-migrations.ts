import type { Migration } from '#platform/database/migrate.ts'
import { up as createTables } from './0001-create-tables.ts'

/** The steps of the schema, by name; a step never changes once released. */
export const operatorMigrations: Record<string, Migration> = {
  '0001-create-tables': { up: createTables },
}
