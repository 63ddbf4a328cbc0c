import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { BlobStore } from '../../blobs/blob-store.ts'
import { BackupError } from '../backup-error.ts'
import { folderFiles } from '../contents/folder-files.ts'
import type { Installation } from '../kept-data.ts'
import { markOf } from './restore-databases.ts'

/**
 * Requires that an installation has no data that a restore would mix with.
 * @throws BackupError that says what is there
 */
export async function requireEmpty(installation: Installation, blobs: () => Promise<BlobStore>): Promise<void> {
  const found = [...(await foundDatabases(installation)), ...(await foundFiles(installation, await blobs()))]
  if (found.length > 0)
    throw new BackupError(`A backup is restored into an empty installation only. This one has ${found.join(', ')}`)
}

async function foundDatabases({ databaseUrl, dataDir, kept }: Installation): Promise<string[]> {
  const names = kept.map(({ name }) => name)
  if (databaseUrl === '') return names.map((name) => join(dataDir, `${name}.sqlite`)).filter((file) => existsSync(file))
  const { occupiedSchemas } = await import('../../database/snapshots/fill-postgres.ts')
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
export async function areSchemasRestored({ databaseUrl, kept }: Installation, id: string): Promise<boolean> {
  const { occupiedSchemas } = await import('../../database/snapshots/fill-postgres.ts')
  const occupied = await occupiedSchemas(
    databaseUrl,
    kept.map(({ name }) => name),
  )
  const foreign = occupied.find(({ madeBy }) => madeBy !== markOf(id))
  if (foreign !== undefined)
    throw new BackupError(`The schema ${foreign.name} has tables that the interrupted restore has not made`)
  return occupied.length > 0
}
