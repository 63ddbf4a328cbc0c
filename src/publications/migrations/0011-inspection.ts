import type { Kysely } from 'kysely'
import { createInspectionTables } from '#platform/inspection/inspection-tables.ts'

/** Adds what the service knows of the state of its data: backups, and what is missing or damaged. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createInspectionTables(db)
}
