import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Folder within the data folder. Each upgrade has a folder in it, named after its time and the version before. */
const FOLDER = 'before-upgrade'

/** Upgrades whose copies are kept: of the one before the last, too, because a fault may be found late. */
const KEPT = 2

/** Time and version: `20260503T061500Z-0.1.0`. The names sort by time. */
const NAME = /^\d{8}T\d{6}Z-.+$/

/** Returns the file for the copy of a database. Databases that are upgraded one after the other share a folder. */
export async function placeForCopy(
  dataDir: string,
  database: string,
  { fromVersion, nowMs }: { fromVersion: string; nowMs: number },
): Promise<string> {
  const newest = (await foldersOf(dataDir)).at(-1)
  const isShared = newest?.endsWith(`Z-${fromVersion}`) === true && !existsSync(fileIn(dataDir, newest, database))
  const time = new Date(nowMs).toISOString().replace(/\.\d+/, '').replace(/[-:]/g, '')
  return fileIn(dataDir, isShared ? newest : `${time}-${fromVersion}`, database)
}

/** Returns the copies of a database, oldest first. */
export async function copiesOf(dataDir: string, database: string): Promise<string[]> {
  const folders = await foldersOf(dataDir)
  return folders.map((folder) => fileIn(dataDir, folder, database)).filter((file) => existsSync(file))
}

/** Removes the copies of all upgrades but the last ones. `keep` counts those that stay. */
export async function removeOldCopies(dataDir: string, keep = KEPT): Promise<void> {
  const old = (await foldersOf(dataDir)).slice(0, -keep)
  for (const folder of old) await rm(join(dataDir, FOLDER, folder), { recursive: true, force: true })
}

async function foldersOf(dataDir: string): Promise<string[]> {
  const names = await readdir(join(dataDir, FOLDER)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names.filter((name) => NAME.test(name)).sort()
}

function fileIn(dataDir: string, folder: string, database: string): string {
  return join(dataDir, FOLDER, folder, `${database}.sqlite`)
}
