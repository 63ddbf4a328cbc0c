import { listSnapshots, type Manifest, readManifest, requireFiles } from '../contents/manifest.ts'
import { BackupFolder } from '../folder/backup-folder.ts'

/** A snapshot in a folder. Without the passphrase of an encrypted folder, only its name is known. */
type ListedSnapshot = {
  name: string
  /** Null if it cannot be told without the passphrase. */
  isWhole: boolean | null
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
    if (isWhole && isReadable) listed.push(await describe(folder, name))
    else listed.push({ name, isWhole: isWhole ? null : false, manifest: undefined, problem: undefined })
  }
  return listed
}

/** Reads the manifest of a snapshot, and compares the sizes of its files, but not those of stored files. */
async function describe(folder: BackupFolder, name: string): Promise<ListedSnapshot> {
  let manifest: Manifest | undefined
  try {
    manifest = await readManifest(folder, name)
    await requireFiles(folder, name, manifest)
    return { name, isWhole: true, manifest, problem: undefined }
  } catch (error) {
    return { name, isWhole: false, manifest, problem: (error as Error).message }
  }
}
