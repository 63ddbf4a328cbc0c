import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { eachDatabase } from '../../backup/each-database.ts'
import { BackupFolder } from '../../backup/folder/backup-folder.ts'
import type { Installation } from '../../backup/kept-data.ts'
import type { BlobStore } from '../../blobs/blob-store.ts'
import { createDamages } from '../inspection-store.ts'
import type { InspectionTables } from '../inspection-tables.ts'
import { type OpenSnapshot, openSnapshots } from './open-snapshots.ts'
import { repairFiles } from './repair-files.ts'
import { collectRepairs, type RepairOutcome } from './repair-outcome.ts'
import { repairRows } from './repair-rows.ts'

type RepairOptions = { passphrase?: string | undefined; snapshot?: string | undefined }

/**
 * Replaces stored files and rows that are missing or damaged by good copies from a folder of backups, the newest first.
 * A copy is read and compared as a whole before it takes the place of what is damaged, at once; so nothing is lost if
 * the command is killed, and it can be repeated.
 * @throws BackupError; UNAVAILABLE
 */
export async function repairData(
  installation: Installation,
  blobs: BlobStore,
  path: string,
  { passphrase, snapshot }: RepairOptions,
): Promise<RepairOutcome> {
  const folder = await BackupFolder.open(path, passphrase)
  const scratch = await mkdtemp(join(tmpdir(), 'trackpress-repair-'))
  const { outcome, onRepair } = collectRepairs(installation.say)
  const snapshots: OpenSnapshot[] = []
  try {
    snapshots.push(...(await openSnapshots(folder, snapshot, scratch)))
    await repairFiles(installation, blobs, folder, snapshots, onRepair)
    await repairRows(installation, { folder, snapshots, scratch }, onRepair)
    return outcome
  } finally {
    for (const { inventory } of snapshots) inventory.close()
    await rm(scratch, { recursive: true, force: true })
    await forgetRepaired(installation, outcome.repaired)
  }
}

async function forgetRepaired(installation: Installation, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  await eachDatabase(installation, async (_, { db }) => {
    const damages = createDamages(db as Kysely<InspectionTables>)
    for (const key of keys) await damages.forget(key)
  })
}
