import { existsSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { BlobStore } from '../blobs/blob-store.ts'
import { syncFolder } from '../blobs/folder-tree.ts'
import { BackupFolder } from './backup-folder.ts'
import { openOnce } from './create-backup.ts'
import { openInventory } from './inventory.ts'
import { type Installation, secretFingerprint } from './kept-data.ts'
import { chooseSnapshot, type Manifest, readManifest, snapshotPath } from './manifest.ts'
import { folderFiles, restoreFiles } from './restore-files.ts'
import { BackupError } from './sealed-stream.ts'
import { markOf, partsOf, restoreToPostgres, restoreToSqlite } from './stored-databases.ts'
import { type BegunRestore, beginRestore } from './unfinished-restore.ts'

type RestoreOptions = {
  passphrase?: string | undefined
  /** Name of the snapshot; the newest whole one by default. */
  snapshot?: string | undefined
  /** Goes without the secret of the backup: tokens cannot be shown then, and signed addresses end. */
  hasNewSecret?: boolean
}

/** A finished restore. */
export type RestoredBackup = { snapshot: string; manifest: Manifest; isSecretRestored: boolean }

/**
 * Restores a snapshot into an empty installation, on either engine: stored files first, then the databases, migrated to
 * this version. A restore that was broken off is continued when it is repeated, and until then no server starts on it.
 * @throws BackupError; UNAVAILABLE
 */
export async function restoreBackup(
  installation: Installation,
  path: string,
  { passphrase, snapshot: wanted, hasNewSecret = false }: RestoreOptions,
): Promise<RestoredBackup> {
  const { databaseUrl, dataDir, kept, say } = installation
  const folder = await BackupFolder.open(path, passphrase)
  const snapshot = await chooseSnapshot(folder, wanted)
  const manifest = await readManifest(folder, snapshot)
  const parts = partsOf(installation, folder, snapshot, manifest)
  const restoresSecret = !hasNewSecret && needsSecret(installation, manifest)
  const store = openOnce(() => installation.openBlobs())
  try {
    const restore = await beginRestore(dataDir, { backup: folder.id, snapshot }, () =>
      requireEmpty(installation, store.open),
    )
    if (restoresSecret) await restoreSecret(folder, snapshot, manifest, dataDir, restore)
    say(`Restoring ${manifest.blobs.count} files, ${manifest.blobs.bytes} bytes`)
    const inventory = await openInventory(folder, snapshot, manifest, join(restore.staging, 'inventory.sqlite'))
    const folders = kept.flatMap((data) => data.folders)
    await restoreFiles(folder, inventory, { blobs: store.open, dataDir, folders, restore })
    inventory.close()
    say('Restoring the databases')
    if (databaseUrl === '') await restoreToSqlite(dataDir, parts, manifest.engine, restore)
    else if (!(restore.isRepeated && (await areSchemasRestored(installation, restore.id))))
      await restoreToPostgres(databaseUrl, parts, manifest.engine, restore)
    await restore.finish()
    return { snapshot, manifest, isSecretRestored: restoresSecret }
  } finally {
    await store.close()
  }
}

/**
 * Tells whether the secret comes from the backup.
 * @throws BackupError if the installation would end with the wrong one
 */
function needsSecret({ secrets, hasSecretSetting, dataDir }: Installation, { secret }: Manifest): boolean {
  const own = secrets()
  if (own.some((text) => secretFingerprint(text) === secret.fingerprint)) return false
  const place = hasSecretSetting ? 'SECRET_KEY' : `The file ${join(dataDir, 'secret')}`
  if (own.length > 0)
    throw new BackupError(
      `${place} is not the secret of this backup. ${secret.file === null ? 'Give the secret of the backed up installation' : 'Remove it, and the secret of the backup is used'}. ` +
        'Or keep it with --secret new: tokens and keys then work but cannot be shown, webhooks need new secrets, and signed addresses end',
    )
  if (secret.file !== null) return true
  throw new BackupError(
    'The backup has no secret. Set SECRET_KEY to that of the backed up installation, or put its file `secret` into the data ' +
      'folder. Or go without, with --secret new: tokens and keys then work but cannot be shown, webhooks need new secrets, and ' +
      'signed addresses end',
  )
}

async function restoreSecret(
  folder: BackupFolder,
  snapshot: string,
  { secret }: Manifest,
  dataDir: string,
  { staging }: BegunRestore,
): Promise<void> {
  const secrets = await text(folder.readWritten(snapshotPath(snapshot, secret.file!.file), secret.file!))
  if (secretFingerprint(secrets.split('\n')[0]) !== secret.fingerprint)
    throw new BackupError(`${snapshotPath(snapshot, secret.file!.file)} is not the secret that the manifest describes`)
  const draft = join(staging, 'secret')
  const file = await open(draft, 'wx', 0o600)
  await file.writeFile(secrets)
  await file.sync()
  await file.close()
  await rename(draft, join(dataDir, 'secret'))
  await syncFolder(dataDir)
}

/**
 * Requires that an installation has no data that a restore would mix with.
 * @throws BackupError that names the data
 */
async function requireEmpty(installation: Installation, blobs: () => Promise<BlobStore>): Promise<void> {
  const found = [...(await foundDatabases(installation)), ...(await foundFiles(installation, await blobs()))]
  if (found.length > 0)
    throw new BackupError(`A backup is restored into an empty installation only. This one has ${found.join(', ')}`)
}

async function foundDatabases({ databaseUrl, dataDir, kept }: Installation): Promise<string[]> {
  const names = kept.map(({ name }) => name)
  if (databaseUrl === '') return names.map((name) => join(dataDir, `${name}.sqlite`)).filter((file) => existsSync(file))
  const { occupiedSchemas } = await import('../database/postgres-snapshot.ts')
  return (await occupiedSchemas(databaseUrl, names)).map(({ name }) => `tables in the schema ${name}`)
}

async function foundFiles({ dataDir, kept }: Installation, blobs: BlobStore): Promise<string[]> {
  const found: string[] = []
  for await (const { key } of blobs.list()) {
    found.push(`stored files such as ${key}`)
    break
  }
  for await (const { path } of folderFiles(
    dataDir,
    kept.flatMap(({ folders }) => folders),
  )) {
    found.push(join(dataDir, path))
    break
  }
  return found
}

/**
 * Tells whether a former attempt of the same restore has filled the schemas, which happens all at once.
 * @throws BackupError if somebody else has
 */
async function areSchemasRestored({ databaseUrl, kept }: Installation, id: string): Promise<boolean> {
  const { occupiedSchemas } = await import('../database/postgres-snapshot.ts')
  const occupied = await occupiedSchemas(
    databaseUrl,
    kept.map(({ name }) => name),
  )
  const foreign = occupied.find(({ madeBy }) => madeBy !== markOf(id))
  if (foreign !== undefined)
    throw new BackupError(`The schema ${foreign.name} has tables that the interrupted restore has not made`)
  return occupied.length > 0
}
