import type { Kysely } from 'kysely'
import { eachDatabase, isTableMissing } from '../backup/each-database.ts'
import type { Installation } from '../backup/kept-data.ts'
import { createRounds } from './inspection-store.ts'
import type { InspectionTables } from './inspection-tables.ts'

/** Notes in the databases of an installation that they are backed up, for metrics, doctor and dashboard. */
export async function noteBackup(installation: Installation): Promise<void> {
  await eachDatabase(installation, async (_, { db }) => {
    try {
      await createRounds(db as Kysely<InspectionTables>).noteBackup(installation.now())
    } catch (error) {
      // A server of an older version has no place for it.
      if (!isTableMissing(error)) throw error
    }
  })
}
