import { chmod, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'

/** Pages copied between two turns of other work, 16 MiB. */
const PAGES_PER_STEP = 4_096

/**
 * Copies an SQLite database, which may be in use, into a single file that shows one moment. When this resolves, the
 * copy is on disk under its name; until then, there is at most a file whose name ends with `.part`. Writes by another
 * connection start the copy again, so a busy database should be locked or read by `VACUUM INTO`.
 * @throws what `node:sqlite` and the file system throw
 */
export async function copySqlite(source: string, target: string): Promise<void> {
  const folder = dirname(target)
  const draft = `${target}.part`
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const remove = () => Promise.all([draft, `${draft}-journal`].map((file) => rm(file, { force: true })))
  await remove()
  const database = new DatabaseSync(source, { readOnly: true })
  try {
    await backup(database, draft, { rate: PAGES_PER_STEP })
    await chmod(draft, 0o600)
    await syncToDisk(draft)
    await rename(draft, target)
    await syncToDisk(folder)
  } catch (error) {
    await remove()
    throw error
  } finally {
    database.close()
  }
}

async function syncToDisk(path: string): Promise<void> {
  const file = await open(path)
  await file.sync().finally(() => file.close())
}
