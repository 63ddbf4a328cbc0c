import { hash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { type BackupFolder, parseJson, SNAPSHOTS } from './backup-folder.ts'
import { BackupError } from './sealed-stream.ts'

/** Names of files within a snapshot. Anything else, such as a path that leads out of it, is refused. */
const FileName = Type.String({ pattern: '^[a-z0-9][a-z0-9._-]{0,100}$' })
const Name = Type.String({ pattern: '^[a-z][a-z0-9_]{0,62}$' })
const Count = Type.Integer({ minimum: 0 })
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const Text = Type.String({ maxLength: 200 })

const ManifestFile = Type.Object({ file: FileName, size: Count, sha256: Sha256 })

const ManifestDatabase = Type.Object({
  name: Name,
  migrations: Type.Array(Text),
  tables: Type.Array(Type.Object({ name: Name, columns: Type.Array(Name), rows: Count })),
  files: Type.Array(Type.Intersect([ManifestFile, Type.Object({ table: Type.Union([Type.Null(), Name]) })])),
})

const Manifest = Type.Object({
  program: Text,
  started_at: Text,
  finished_at: Text,
  engine: Type.Union([Type.Literal('SQLite'), Type.Literal('PostgreSQL')]),
  databases: Type.Array(ManifestDatabase),
  /** Stored files: copies in the backup, and files that rows name but that did not exist. */
  blobs: Type.Object({ count: Count, bytes: Count, deleted: Count, missing: Count, damaged: Count }),
  inventory: ManifestFile,
  /** The secret itself if it is in the backup, and a keyed hash by which it is recognised. */
  secret: Type.Object({ fingerprint: Sha256, file: Type.Union([Type.Null(), ManifestFile]) }),
})

/** A file of a snapshot, with the size and SHA-256 of its content. */
export type ManifestFile = Type.Static<typeof ManifestFile>

/** A database in a snapshot. */
export type ManifestDatabase = Type.Static<typeof ManifestDatabase>

/** The contents of a snapshot. It is written last, so a snapshot with one is whole. */
export type Manifest = Type.Static<typeof Manifest>

const FILE = 'manifest.json'
/** A manifest names some dozens of files. */
const MAX_BYTES = 4 * 1_048_576

/** Returns the path of a file of a snapshot within the folder. */
export function snapshotPath(snapshot: string, file = ''): string {
  return file === '' ? `${SNAPSHOTS}/${snapshot}` : `${SNAPSHOTS}/${snapshot}/${file}`
}

/**
 * Names a new snapshot by its time, or by the moment after the newest one's, if the clock was set back since then, so
 * that names always sort by age.
 */
export async function newSnapshotName(folder: BackupFolder, timeMs: number): Promise<string> {
  const newest = (await listSnapshots(folder)).at(-1)
  const laterMs = newest === undefined ? timeMs : Math.max(timeMs, timeOfName(newest.name) + 1)
  return new Date(laterMs).toISOString().replaceAll(':', '-').replace('.', '-')
}

function timeOfName(name: string): number {
  const [date, time] = name.slice(0, -1).split('T')
  const [hours, minutes, seconds, milliseconds] = time.split('-')
  return Date.parse(`${date}T${hours}:${minutes}:${seconds}.${milliseconds}Z`)
}

/** Tells whether a text is the name of a snapshot, and no path that leads elsewhere. */
function isSnapshotName(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/.test(text) && !Number.isNaN(timeOfName(text))
}

/** Lists snapshots, the oldest first, and whether each is whole. */
export async function listSnapshots(folder: BackupFolder): Promise<{ name: string; isWhole: boolean }[]> {
  const names = (await folder.list(SNAPSHOTS)).filter(isSnapshotName)
  return await Promise.all(
    names.map(async (name) => ({ name, isWhole: (await folder.sizeOf(snapshotPath(name, FILE))) !== undefined })),
  )
}

/**
 * Writes the manifest of a snapshot whose other files are written and synced. The snapshot is whole when this resolves.
 */
export async function writeManifest(folder: BackupFolder, snapshot: string, manifest: Manifest): Promise<void> {
  const content = JSON.stringify(manifest)
  const text = JSON.stringify({ content: manifest, sha256: hash('sha256', content) })
  await folder.write(snapshotPath(snapshot, FILE), bytesOf(`${text}\n`))
  await folder.syncNames()
}

/** Reads the manifest of a snapshot. @throws BackupError if the snapshot is not whole, or the manifest is damaged */
export async function readManifest(folder: BackupFolder, snapshot: string): Promise<Manifest> {
  const name = snapshotPath(snapshot, FILE)
  const size = await folder.sizeOf(name)
  if (size === undefined) throw new BackupError(`${snapshot} is not whole: ${name} is missing`)
  if (size > MAX_BYTES) throw new BackupError(`${name} is damaged: it is too large`)
  const { content, sha256 } = (parseJson((await buffer(folder.read(name))).toString('utf8')) ?? {}) as Record<
    string,
    unknown
  >
  if (content === undefined || hash('sha256', JSON.stringify(content)) !== sha256)
    throw new BackupError(`${name} is damaged: its SHA-256 is another one`)
  if (!Value.Check(Manifest, content)) {
    const [error] = Value.Errors(Manifest, content)
    throw new BackupError(`${name} is not a manifest of this program: ${error.instancePath} ${error.message}`)
  }
  return content
}

/** Requires that the files of a snapshot are there, with their sizes. @throws BackupError that names one */
export async function requireFiles(folder: BackupFolder, snapshot: string, manifest: Manifest): Promise<void> {
  const { databases, inventory, secret } = manifest
  const files = [...databases.flatMap((database) => database.files), inventory, ...(secret.file ? [secret.file] : [])]
  for (const { file, size } of files) {
    const name = snapshotPath(snapshot, file)
    const bytes = await folder.sizeOf(name)
    if (bytes === undefined) throw new BackupError(`${name} is missing`)
    if (bytes !== folder.storedSize(size)) throw new BackupError(`${name} is damaged: it has another size`)
  }
}

/** Removes a snapshot: the manifest first, so that it is at no time taken for whole. */
export async function removeSnapshot(folder: BackupFolder, snapshot: string): Promise<void> {
  await folder.remove(snapshotPath(snapshot, FILE))
  await folder.remove(snapshotPath(snapshot))
}

/** Chooses a snapshot by its name, or the newest whole one. @throws BackupError if there is none */
export async function chooseSnapshot(folder: BackupFolder, name: string | undefined): Promise<string> {
  const snapshots = await listSnapshots(folder)
  if (name !== undefined) {
    const found = snapshots.find((snapshot) => snapshot.name === name)
    if (found === undefined) throw new BackupError(`${folder.path} has no snapshot ${JSON.stringify(name)}`)
    return found.name
  }
  const newest = snapshots.findLast(({ isWhole }) => isWhole)
  if (newest === undefined) throw new BackupError(`${folder.path} has no whole snapshot`)
  return newest.name
}

/** Makes a stream of one text. */
export async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text, 'utf8')
}
