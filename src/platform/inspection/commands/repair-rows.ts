import type { Kysely } from 'kysely'
import { BackupError } from '../../backup/backup-error.ts'
import { eachDatabase, isTableMissing } from '../../backup/each-database.ts'
import type { BackupFolder } from '../../backup/folder/backup-folder.ts'
import type { DamagedRow, Installation, KeptData } from '../../backup/kept-data.ts'
import { partsOf } from '../../backup/steps/restore-databases.ts'
import { withStoredCopy } from '../../backup/steps/stored-copy.ts'
import type { OpenSnapshot } from './open-snapshots.ts'
import type { OnRepair } from './repair-outcome.ts'

type Backups = { folder: BackupFolder; snapshots: readonly OpenSnapshot[]; scratch: string }

/**
 * Replaces damaged rows, such as chunks of points, by those of snapshots, and tells what became of each. Databases of
 * snapshots are unpacked in `scratch`, one after the other and only while something is damaged.
 */
export async function repairRows(installation: Installation, backups: Backups, onRepair: OnRepair): Promise<void> {
  await eachDatabase(installation, async (data, { db }) => {
    const damaged = new Map((await damagedRows(data, db)).map((row) => [row.key, row]))
    const reasons: string[] = []
    for (const snapshot of backups.snapshots) {
      if (damaged.size === 0) return
      const stored = snapshot.manifest.databases.filter(({ name }) => name === data.name)
      const manifest = { ...snapshot.manifest, databases: stored }
      try {
        for (const part of partsOf(installation, backups.folder, snapshot.name, manifest))
          await withStoredCopy(part, manifest.engine, backups.scratch, async (copy) => {
            for (const { key, detail } of [...damaged.values()]) {
              if (!(await data.repairRow!(db, key, copy.db))) continue
              damaged.delete(key)
              onRepair({ key, problem: detail, reason: undefined })
            }
          })
      } catch (error) {
        // An older snapshot may be whole.
        if (!(error instanceof BackupError)) throw error
        reasons.push(error.message)
      }
    }
    for (const { key, detail } of damaged.values())
      onRepair({ key, problem: detail, reason: reasons[0] ?? 'no snapshot has a good copy of it' })
  })
}

async function damagedRows({ inspectRows, repairRow }: KeptData, db: Kysely<unknown>): Promise<DamagedRow[]> {
  if (inspectRows === undefined || repairRow === undefined) return []
  try {
    const damaged: DamagedRow[] = []
    for await (const { damage } of inspectRows(db)) if (damage !== undefined) damaged.push(damage)
    return damaged
  } catch (error) {
    if (isTableMissing(error)) return []
    throw error
  }
}
