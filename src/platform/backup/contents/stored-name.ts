import type { BackupFolder, WrittenFile } from '../folder/backup-folder.ts'

/**
 * Returns the name in the folder of an earlier content of a stored file. A file that was damaged when it was copied,
 * and was repaired later, has two contents, of which each snapshot keeps its own.
 */
export function displacedName(folder: BackupFolder, key: string, sha256: string): string {
  // No key has a line break.
  return folder.blobName(`${key}\n${sha256}`)
}

/** Returns the name in the folder of the content of a stored file that a snapshot has. */
export async function storedName(folder: BackupFolder, key: string, { size, sha256 }: WrittenFile): Promise<string> {
  const displaced = displacedName(folder, key, sha256)
  return (await folder.sizeOf(displaced)) === folder.storedSize(size) ? displaced : folder.blobName(key)
}
