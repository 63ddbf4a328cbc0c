import { existsSync, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Memory shows as a folder on Linux. Creating a database of PostgreSQL there takes a third of the processor time that
 * it takes on a disk, and no commit on SQLite waits for the disk.
 */
const IN_MEMORY = '/dev/shm'
/** The databases and files of a whole run of the tests take a quarter of it at the same time. */
const ENOUGH_MEMORY_BYTES = 4 * 2 ** 30

/** Creates a folder for the data of a test, in memory if there is enough. Its user removes it. @returns its path */
export function makeDataFolder(prefix: string): string {
  return mkdtempSync(join(placeForData(), prefix))
}

function placeForData(): string {
  return hasMemory() ? IN_MEMORY : tmpdir()
}

/** Returns true if memory shows as a folder and is enough for the data of tests. */
export function hasMemory(): boolean {
  if (!existsSync(IN_MEMORY)) return false
  const { bavail, bsize } = statfsSync(IN_MEMORY)
  return bavail * bsize >= ENOUGH_MEMORY_BYTES
}
