import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Makes an empty folder in the data folder, for what is copied on the way to a backup: it may hold everything in plain
 * text. What a killed command has left in it is removed. Only for the one that holds the lock of the backup folder
 * `id`.
 */
export async function makeScratch(dataDir: string, id: string): Promise<AsyncDisposable & { path: string }> {
  const path = join(dataDir, `.backup-${id}`)
  const remove = () => rm(path, { recursive: true, force: true })
  await remove()
  await mkdir(path, { recursive: true, mode: 0o700 })
  return { path, [Symbol.asyncDispose]: remove }
}
