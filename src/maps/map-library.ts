import type { Readable } from 'node:stream'
import type { BlobRange, BlobStore } from '#platform/blobs/blob-store.ts'
import { type Notices, NotifiedCache } from '#platform/database/notices.ts'
import type { FolderMapFile, FolderMapFiles } from './folder-map-files.ts'
import type { MapFileFacts } from './map-file-metadata.ts'
import type { MapFileRow, MapsStore } from './store.ts'

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
  facts: MapFileFacts | null
  fault: FolderMapFile['fault'] | null
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

function fromFolder({ name, contentKey, sizeBytes, facts, fault }: FolderMapFile): LibraryFile {
  return {
    id: `${FOLDER}${name}`,
    name,
    place: 'folder',
    contentKey,
    sizeBytes,
    facts: facts ?? null,
    fault: fault ?? null,
  }
}
