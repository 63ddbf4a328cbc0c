import { join } from 'node:path'
import { BackupError } from '../../backup/backup-error.ts'
import type { Inventory } from '../../backup/contents/inventory.ts'
import { chooseSnapshot, listSnapshots, type Manifest, readManifest } from '../../backup/contents/manifest.ts'
import { openInventory } from '../../backup/contents/open-inventory.ts'
import type { BackupFolder } from '../../backup/folder/backup-folder.ts'

/** A snapshot that data are taken from. */
export type OpenSnapshot = { name: string; manifest: Manifest; inventory: Inventory }

/**
 * Opens the snapshots of a folder that can be read, the newest first, or the one that is wanted.
 * @throws BackupError if there is none
 */
export async function openSnapshots(
  folder: BackupFolder,
  wanted: string | undefined,
  scratch: string,
): Promise<OpenSnapshot[]> {
  const chosen = wanted === undefined ? undefined : await chooseSnapshot(folder, wanted)
  const names = (await listSnapshots(folder)).filter(({ isWhole }) => isWhole).map(({ name }) => name)
  const opened: OpenSnapshot[] = []
  for (const name of names.reverse()) {
    if (chosen !== undefined && name !== chosen) continue
    try {
      const manifest = await readManifest(folder, name)
      const inventory = await openInventory(folder, name, manifest, join(scratch, `${name}.sqlite`))
      opened.push({ name, manifest, inventory })
    } catch (error) {
      if (!(error instanceof BackupError) || chosen !== undefined) throw error
    }
  }
  if (opened.length === 0) throw new BackupError(`${folder.path} has no whole snapshot`)
  return opened
}
