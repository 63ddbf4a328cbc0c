import { BackupError } from '../../backup/backup-error.ts'
import type { InventoryBlob } from '../../backup/contents/inventory.ts'
import type { BackupFolder } from '../../backup/folder/backup-folder.ts'
import type { Installation } from '../../backup/kept-data.ts'
import { readStored } from '../../backup/steps/restore-files.ts'
import type { BlobStore } from '../../blobs/blob-store.ts'
import type { OpenSnapshot } from './open-snapshots.ts'
import type { OnRepair } from './repair-outcome.ts'
import { type BadFile, verifyFiles } from './verify-files.ts'

/** Replaces stored files that are missing or damaged by good copies of snapshots, and tells what became of each. */
export async function repairFiles(
  installation: Installation,
  blobs: BlobStore,
  folder: BackupFolder,
  snapshots: readonly OpenSnapshot[],
  onRepair: OnRepair,
): Promise<void> {
  await verifyFiles(installation, blobs, async (bad) => {
    onRepair({ key: bad.blob.key, problem: bad.detail, reason: await repair(folder, snapshots, blobs, bad) })
  })
}

/** @returns the reason why the file could not be repaired; undefined if it was */
async function repair(
  folder: BackupFolder,
  snapshots: readonly OpenSnapshot[],
  blobs: BlobStore,
  { blob: { key, size, sha256 } }: BadFile,
): Promise<string | undefined> {
  let reason = 'no snapshot has a good copy of it'
  for (const { inventory } of snapshots) {
    const copy = inventory.find(key)
    if (copy === undefined || !isGood(copy, size, sha256)) continue
    try {
      // The draft is whole when this resolves: reading throws at a copy that is not as it was written.
      await using draft = await blobs.draft(await readStored(folder, copy))
      await draft.replace(key)
      return undefined
    } catch (error) {
      if (!(error instanceof BackupError)) throw error
      reason = error.message
    }
  }
  return reason
}

function isGood(copy: InventoryBlob, size: number, sha256: string | undefined): boolean {
  return copy.state === 'stored' && copy.size === size && (sha256 === undefined || copy.sha256 === sha256)
}
