import { listSnapshots, type Manifest, readManifest } from '../contents/manifest.ts'
import { BackupFolder } from '../folder/backup-folder.ts'

/** A snapshot in a folder. Without the passphrase of an encrypted folder, only its name and state are known. */
export type ListedSnapshot = {
  name: string
  isWhole: boolean
  manifest: Manifest | undefined
  problem: string | undefined
}

/** Lists the snapshots of a folder, the oldest first. @throws BackupError if it is no folder of backups */
export async function listBackups(path: string, passphrase: string | undefined): Promise<ListedSnapshot[]> {
  const names = await BackupFolder.openNames(path)
  const isReadable = passphrase !== undefined || !names.needsPassphrase
  const folder = isReadable ? await BackupFolder.open(path, passphrase) : names.folder
  const listed: ListedSnapshot[] = []
  for (const { name, isWhole } of await listSnapshots(folder)) {
    const snapshot: ListedSnapshot = { name, isWhole, manifest: undefined, problem: undefined }
    if (isWhole && isReadable)
      await readManifest(folder, name).then(
        (manifest) => Object.assign(snapshot, { manifest }),
        (error: Error) => Object.assign(snapshot, { problem: error.message }),
      )
    listed.push(snapshot)
  }
  return listed
}
