import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { ifMissing, syncFolder } from '../blobs/folder-tree.ts'
import { parseJson } from './backup-folder.ts'
import { BackupError } from './sealed-stream.ts'

/** A restore that has begun. */
export type BegunRestore = {
  /** Marks the schemas that it made, on a database server. */
  id: string
  /** True if a former attempt was broken off, and has left a part of the data. */
  isRepeated: boolean
  /** Folder for databases and files that are not whole yet. */
  staging: string
  /** Ends the restore: the installation is whole. */
  finish(): Promise<void>
}

/** Folder in the data folder, as long as a restore is not finished. */
const FOLDER = 'restoring'
const FILE = 'restore.json'

const Marker = Type.Object({ id: Type.String(), backup: Type.String(), snapshot: Type.String() })

/**
 * Requires that no restore into a data folder was broken off, after which it has only a part of its data.
 * @throws Error
 */
export function requireFinishedRestore(dataDir: string): void {
  if (!existsSync(join(dataDir, FOLDER))) return
  throw new Error(
    `A restore into ${dataDir} was broken off, so a part of the data is missing. Repeat the restore, or begin with an empty ` +
      'data folder and an empty database',
  )
}

/**
 * Marks a data folder as one that is being restored, until `finish`. Continues a restore of the same snapshot that was
 * broken off; `requireEmpty` is called for a new one only.
 * @throws BackupError if another restore was broken off, and what `requireEmpty` throws
 */
export async function beginRestore(
  dataDir: string,
  wanted: { backup: string; snapshot: string },
  requireEmpty: () => Promise<void>,
): Promise<BegunRestore> {
  const staging = join(dataDir, FOLDER)
  const begun = await readMarker(staging)
  if (begun !== undefined && (begun.backup !== wanted.backup || begun.snapshot !== wanted.snapshot))
    throw new BackupError(
      `A restore of ${begun.snapshot} into ${dataDir} was broken off. Repeat that one, or begin with an empty data folder and ` +
        'an empty database',
    )
  if (begun === undefined) await requireEmpty()
  const id = begun?.id ?? randomUUID()
  await rm(join(staging, 'work'), { recursive: true, force: true })
  await mkdir(join(staging, 'work'), { recursive: true, mode: 0o700 })
  if (begun === undefined) await writeMarker(staging, { id, ...wanted })
  await syncFolder(dataDir)
  return {
    id,
    isRepeated: begun !== undefined,
    staging: join(staging, 'work'),
    async finish() {
      await rm(staging, { recursive: true })
      await syncFolder(dataDir)
    },
  }
}

async function readMarker(staging: string): Promise<Type.Static<typeof Marker> | undefined> {
  const text = await readFile(join(staging, FILE), 'utf8').catch(ifMissing(undefined))
  const marker = text === undefined ? undefined : parseJson(text)
  return Value.Check(Marker, marker) ? marker : undefined
}

async function writeMarker(staging: string, marker: Type.Static<typeof Marker>): Promise<void> {
  const draft = join(staging, `${FILE}.draft`)
  const file = await open(draft, 'w', 0o600)
  await file.writeFile(JSON.stringify(marker))
  await file.sync()
  await file.close()
  await rename(draft, join(staging, FILE))
  await syncFolder(staging)
}
