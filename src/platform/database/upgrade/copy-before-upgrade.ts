import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileSize } from '../../file-size.ts'
import { placeForCopy, removeOldCopies } from './upgrade-copies.ts'

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
