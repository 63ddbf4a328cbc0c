import { existsSync } from 'node:fs'
import { readdir, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileSize } from '../basics/text.ts'

/** Room that is left to the migrations themselves. One that needs more fails and changes nothing. */
const SPARE_BYTES = 64 * 1_048_576

type UpgradedDatabase = {
  name: string
  /** The file of the database. */
  file: string
  copyTo(target: string): Promise<void>
  dataDir: string
  /** Version of the program before. */
  fromVersion: string
  nowMs: number
  logger: { info(details: object, message: string): void }
}

/**
 * Copies an embedded database into `dataDir/before-upgrade` and removes older
 * copies. The copy is on disk when this resolves.
 * @throws Error that says how much room is missing
 */
export async function copyBeforeUpgrade(database: UpgradedDatabase): Promise<void> {
  const { name, file, dataDir, logger } = database
  const target = await placeForCopy(dataDir, name, database)
  const neededBytes = (await sizeOf(file)) + (await sizeOf(`${file}-wal`)) + SPARE_BYTES
  const { bavail, bsize } = await statfs(dirname(file))
  if (bavail * bsize < neededBytes) {
    throw new Error(
      `The upgrade of ${file} begins with a copy, for which ${dataDir} needs ${fileSize(neededBytes, 'en')} free; it has ` +
        `${fileSize(bavail * bsize, 'en')}. Free some space and start again. If you have made a backup yourself, ` +
        'COPY_BEFORE_UPGRADE=off upgrades without a copy. Nothing has been changed.',
    )
  }
  await database.copyTo(target)
  await removeOldCopies(dataDir)
  logger.info({ database: name, copy: target }, 'copied the database before its upgrade')
}

async function sizeOf(path: string): Promise<number> {
  return await stat(path).then(
    ({ size }) => size,
    () => 0,
  )
}

/** Folder within the data folder. Each upgrade has a folder in it, named after its time and the version before. */
const FOLDER = 'before-upgrade'

/** Upgrades whose copies are kept: of the one before the last, too, because a fault may be found late. */
const KEPT = 2

/** Time and version: `20260503T061500Z-0.1.0`. The names sort by time. */
const NAME = /^\d{8}T\d{6}Z-.+$/

/** Returns the file for the copy of a database. Databases that are upgraded one after the other share a folder. */
async function placeForCopy(
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

/** Removes the copies of all upgrades except the latest `keep` ones. */
async function removeOldCopies(dataDir: string, keep = KEPT): Promise<void> {
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
