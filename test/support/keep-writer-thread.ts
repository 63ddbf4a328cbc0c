import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { SqliteWriterThread } from '#platform/database/sqlite-writer-thread.ts'
import { makeDataFolder } from './data-folder.ts'

let kept: SqliteWriterThread | undefined

/**
 * Keeps the thread that writes SQLite files as long as this process: it ends with its last file, and each test would
 * start it again.
 */
export async function keepWriterThread(): Promise<void> {
  if (kept !== undefined) return
  const folder = makeDataFolder('kept-')
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  kept = new SqliteWriterThread(join(folder, 'kept.sqlite'))
  await kept.start()
}
