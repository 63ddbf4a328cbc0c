import { DatabaseSync } from 'node:sqlite'
import { BackupError } from '../backup-error.ts'

const SQLITE_BUSY = 5

/**
 * Takes a lock that ends with the process, however it ends: one of SQLite on an
 * empty file. Node.js has no locks of files.
 * @returns what releases it
 * @throws BackupError if another process holds it
 */
export function holdLock(path: string): Disposable {
  const database = new DatabaseSync(path)
  try {
    database.exec('pragma locking_mode = exclusive; begin exclusive')
  } catch (error) {
    database.close()
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error
    throw new BackupError('Another command is writing to this backup folder')
  }
  return { [Symbol.dispose]: () => database.close() }
}
