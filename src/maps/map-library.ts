import { createHash } from 'node:crypto'
import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { BlobRange, BlobStore } from '#platform/blobs/blob-store.ts'
import { type Notices, NotifiedCache } from '#platform/database/notices.ts'
import { readMapFileFacts } from './map-file-metadata.ts'
import { HEADER_BYTES, MapFileFault, type MapFileFaultKind, readMapFileHeader } from './pmtiles.ts'
import type { MapFileFacts } from './schemas.ts'
import type { MapFileRow, MapsStore } from './store.ts'
import { BEGINNING_BYTES } from './store-map-file.ts'

/** A map file that the machine's administrator has put into the folder. */
type FolderMapFile = {
  name: string
  /** Identifies the content, without reading all of it: a hash of the file's name, number, size and time of change. */
  contentKey: string
  sizeBytes: number
  /** Null if the file cannot be used; `fault` says why. */
  facts: MapFileFacts | null
  fault: { kind: MapFileFaultKind; message: string } | null
}

const MAX_FILES = 200
/** Names as in addresses, so that a reference to a file is the same everywhere. */
const FILE_NAME = /^[^/\\\0]{1,200}\.pmtiles$/i

/** Map files in a folder of this machine, for installations with one instance. The folder need not exist. */
type FolderMapFiles = ReturnType<typeof createFolderMapFiles>

export function createFolderMapFiles(folder: string) {
  const known = new Map<string, FolderMapFile>()

  /** Looks at a file, and reads it only if it has changed. */
  async function look(name: string): Promise<FolderMapFile | undefined> {
    if (!FILE_NAME.test(name)) return undefined
    return await withFile(join(folder, name), async (file, stats) => {
      const contentKey = contentKeyOf(name, stats)
      const before = known.get(name)
      if (before?.contentKey === contentKey) return before
      const seen = { name, contentKey, sizeBytes: Number(stats.size), ...(await inspect(file, Number(stats.size))) }
      known.set(name, seen)
      return seen
    })
  }

  return {
    find: look,

    /** Returns the files of the folder by name. */
    async list(): Promise<FolderMapFile[]> {
      const names = (await entries(folder)).filter((name) => FILE_NAME.test(name)).sort()
      const files = await Promise.all(names.slice(0, MAX_FILES).map(look))
      return files.filter((file) => file !== undefined)
    },

    /** Finds a file by its content; undefined once it has changed or gone. */
    async findByContent(contentKey: string): Promise<FolderMapFile | undefined> {
      const name = [...known.values()].find((file) => file.contentKey === contentKey)?.name
      const now = name === undefined ? undefined : await look(name)
      if (now?.contentKey === contentKey) return now
      return (await this.list()).find((file) => file.contentKey === contentKey)
    },

    /** Reads a file, or a range of it, as it was when it was found; undefined once it has changed or gone. */
    async read({ name, contentKey }: FolderMapFile, range?: BlobRange): Promise<Readable | undefined> {
      const file = await openIfExists(join(folder, name))
      if (file === undefined) return undefined
      const stats = await file.stat({ bigint: true })
      if (contentKeyOf(name, stats) === contentKey) return file.createReadStream(range)
      await file.close()
      return undefined
    },
  }
}

async function inspect(file: FileHandle, sizeBytes: number) {
  try {
    const beginning = await readSection(file, 0, BEGINNING_BYTES)
    if (beginning.length < HEADER_BYTES) throw new MapFileFault('not-pmtiles', 'The file is not a PMTiles archive.')
    const { offset, length } = readMapFileHeader(beginning).metadata
    const metadata = await readSection(file, offset, length)
    return { facts: await readMapFileFacts({ beginning, metadata, sizeBytes }), fault: null }
  } catch (error) {
    if (error instanceof MapFileFault) {
      const { kind, message } = error
      return { facts: null, fault: { kind, message } }
    }
    throw error
  }
}

async function readSection(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset)
  return buffer.subarray(0, bytesRead)
}

function contentKeyOf(name: string, { ino, size, mtimeNs }: BigIntStats): string {
  return createHash('sha256').update([name, ino, size, mtimeNs].join('\n')).digest('hex')
}

async function entries(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

async function withFile<Result>(
  path: string,
  use: (file: FileHandle, stats: BigIntStats) => Promise<Result>,
): Promise<Result | undefined> {
  const file = await openIfExists(path)
  if (file === undefined) return undefined
  try {
    const stats = await file.stat({ bigint: true })
    return stats.isFile() ? await use(file, stats) : undefined
  } finally {
    await file.close()
  }
}

async function openIfExists(path: string): Promise<FileHandle | undefined> {
  try {
    // A named pipe would keep the caller waiting.
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')
}

/** Sent to every instance when the chosen map or the files change. */
export const MAP_CHANGED = 'map'

const LIFETIME_MS = 60_000
const MAX_ENTRIES = 100
/** Begins the id of a file in the folder; the rest is its name. */
const FOLDER = 'folder:'

/** A map file, wherever it is. */
export type LibraryFile = {
  id: string
  name: string
  place: 'uploaded' | 'folder'
  /** Names its bytes in its address: 64 hexadecimal digits. */
  contentKey: string
  sizeBytes: number
  facts: FolderMapFile['facts']
  fault: FolderMapFile['fault']
}

/** A file's bytes. */
export type TileSource = { sizeBytes: number; read(range?: BlobRange): Promise<Readable | undefined> }

type Deps = {
  maps: MapsStore
  folderFiles: FolderMapFiles
  /** Opens the store of uploaded files when it is first needed. */
  blobs: () => Promise<BlobStore>
  notices: Notices | undefined
  now: () => number
}

/** The map files to choose from: uploaded ones, and files in a folder of this machine. */
export type MapLibrary = ReturnType<typeof createMapLibrary>

export function createMapLibrary({ maps, folderFiles, blobs, notices, now }: Deps) {
  const rows = new NotifiedCache<MapFileRow>({
    find: (sha256) => maps.findFile(sha256),
    topic: MAP_CHANGED,
    notices,
    nowMs: now,
    lifetimeMs: LIFETIME_MS,
    maxEntries: MAX_ENTRIES,
  })

  return {
    /** Finds a file by its id. */
    async find(id: string): Promise<LibraryFile | undefined> {
      if (id.startsWith(FOLDER)) {
        const file = await folderFiles.find(id.slice(FOLDER.length))
        return file && fromFolder(file)
      }
      const row = await rows.find(id)
      return row && fromRow(row)
    },

    /** Returns the uploaded files, the newest first, then the files of the folder by name. */
    async list(): Promise<LibraryFile[]> {
      const [uploaded, inFolder] = await Promise.all([maps.listFiles(), folderFiles.list()])
      return [...uploaded.map(fromRow), ...inFolder.map(fromFolder)]
    },

    /** Finds the bytes of a file by the name of its content; undefined if there is none. */
    async open(contentKey: string): Promise<TileSource | undefined> {
      const row = await rows.find(contentKey)
      if (row !== undefined)
        return { sizeBytes: row.size_bytes, read: async (range) => (await blobs()).read(row.blob_key, range) }
      const file = await folderFiles.findByContent(contentKey)
      return file && { sizeBytes: file.sizeBytes, read: (range) => folderFiles.read(file, range) }
    },

    /** Forgets remembered files, here and on other instances. */
    announceChange: () => rows.announceChange(''),

    close: () => rows.close(),
  }
}

/** Returns the path of a file's bytes for pages. */
export function tilesPath({ contentKey }: LibraryFile): string {
  return `/maps/${contentKey}.pmtiles`
}

/** Returns the hash of an uploaded file from its id; undefined for a file of the folder. */
export function uploadedSha256(id: string | null): string | undefined {
  return id === null || id.startsWith(FOLDER) ? undefined : id
}

/** Returns an uploaded file from its row. */
export function fromRow({ sha256, name, size_bytes, facts }: MapFileRow): LibraryFile {
  return {
    id: sha256,
    name,
    place: 'uploaded',
    contentKey: sha256,
    sizeBytes: size_bytes,
    facts: JSON.parse(facts) as MapFileFacts,
    fault: null,
  }
}

function fromFolder(file: FolderMapFile): LibraryFile {
  return { ...file, id: `${FOLDER}${file.name}`, place: 'folder' }
}
