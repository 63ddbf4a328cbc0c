import { rm } from 'node:fs/promises'
import { BackupError } from '../backup-error.ts'
import { type BackupFolder, copyOut } from '../folder/backup-folder.ts'
import { Inventory } from './inventory.ts'
import { type Manifest, snapshotPath } from './manifest.ts'
import { unpack } from './packed-file.ts'

/**
 * Unpacks the inventory of a snapshot to a path, which is replaced, and opens it.
 * @throws BackupError if it is damaged
 */
export async function openInventory(
  folder: BackupFolder,
  snapshot: string,
  { inventory }: Pick<Manifest, 'inventory'>,
  path: string,
): Promise<Inventory> {
  const name = snapshotPath(snapshot, inventory.file)
  await rm(path, { force: true })
  await copyOut(unpack(folder.readWritten(name, inventory), name), path)
  try {
    return new Inventory(path, { readOnly: true })
  } catch (cause) {
    throw new BackupError(`${name} is damaged: ${(cause as Error).message}`, { cause })
  }
}
