import type { Migration } from '#platform/database/migrate.ts'
import { up as createTables } from './0001-create-tables.ts'
import { up as signInFailures } from './0002-sign-in-failures.ts'
import { up as maps } from './0003-maps.ts'

/** The steps of the schema, by name; a step never changes once released. */
export const operatorMigrations: Record<string, Migration> = {
  '0001-create-tables': { up: createTables },
  '0002-sign-in-failures': { up: signInFailures },
  '0003-maps': { up: maps },
}
