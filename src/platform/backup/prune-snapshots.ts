import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type BackupFolder, BLOBS, displacedName } from './backup-folder.ts'
import { openInventory } from './inventory.ts'
import { listSnapshots, readManifest, removeSnapshot } from './manifest.ts'

/** Removed snapshots, and the number of stored files that no other names. */
export type Pruned = { snapshots: string[]; files: number }

/**
 * Removes the oldest snapshots, and then the stored files that none of the others names. Never removes `newest`.
 * Removes no file if an inventory cannot be read.
 * @throws BackupError
 */
export async function pruneSnapshots(
  folder: BackupFolder,
  { keep, newest, scratch }: { keep: number; newest: string; scratch: string },
): Promise<Pruned> {
  const names = (await listSnapshots(folder)).map(({ name }) => name).filter((name) => name !== newest)
  const removed = names.slice(0, Math.max(0, names.length - (keep - 1)))
  const kept = [...names.slice(removed.length), newest]
  using used = await usedFiles(folder, kept, scratch)
  for (const name of removed) await removeSnapshot(folder, name)
  return { snapshots: removed, files: await removeUnused(folder, used.has) }
}

/** Collects the names of the files that snapshots need. In a file, because there may be millions. */
async function usedFiles(folder: BackupFolder, snapshots: readonly string[], scratch: string) {
  const names = new DatabaseSync(join(scratch, 'used.sqlite'))
  names.exec(
    'pragma journal_mode = off; pragma synchronous = off; create table used (name text primary key) without rowid',
  )
  const add = names.prepare('insert into used values (?) on conflict do nothing')
  const find = names.prepare('select 1 from used where name = ?')
  for (const snapshot of snapshots) {
    const manifest = await readManifest(folder, snapshot)
    const inventory = await openInventory(folder, snapshot, manifest, join(scratch, 'kept.sqlite'))
    for (const page of inventory.pages())
      for (const { key, sha256 } of page) {
        add.run(folder.blobName(key))
        if (sha256 !== null) add.run(displacedName(folder, key, sha256))
      }
    inventory.close()
  }
  return { has: (name: string) => find.get(name) !== undefined, [Symbol.dispose]: () => names.close() }
}

async function removeUnused(folder: BackupFolder, isUsed: (name: string) => boolean): Promise<number> {
  let removed = 0
  for (const group of await folder.list(BLOBS)) {
    for (const rest of await folder.list(`${BLOBS}/${group}`)) {
      const name = `${BLOBS}/${group}/${rest}`
      if (isUsed(name)) continue
      await folder.remove(name)
      removed++
    }
  }
  return removed
}
