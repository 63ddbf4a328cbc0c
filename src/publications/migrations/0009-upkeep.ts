import type { Kysely } from 'kysely'
import { createUpkeepTable } from '#platform/upkeep/upkeep-table.ts'

/** Adds the time that upkeep has reached, by which a clock that jumped is recognised. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createUpkeepTable(db)
}
