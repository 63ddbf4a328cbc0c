import { createHash } from 'node:crypto'
import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { BlobRange } from '#platform/blobs/blob-store.ts'
import { HEADER_BYTES, MapFileFault, type MapFileFaultKind, readMapFileHeader } from './map-file-header.ts'
import { type MapFileFacts, readMapFileFacts } from './map-file-metadata.ts'
import { BEGINNING_BYTES } from './store-map-file.ts'

/** A map file that the machine's administrator has put into the folder. */
export type FolderMapFile = {
  name: string
  /** Identifies the content, without reading all of it: a hash of the file's name, number, size and time of change. */
  contentKey: string
  sizeBytes: number
  /** Undefined if the file cannot be used; `fault` says why. */
  facts: MapFileFacts | undefined
  fault: { kind: MapFileFaultKind; message: string } | undefined
}

const MAX_FILES = 200
/** Names as in addresses, so that a reference to a file is the same everywhere. */
const FILE_NAME = /^[^/\\\0]{1,200}\.pmtiles$/i

/** Map files in a folder of this machine, for installations with one instance. The folder need not exist. */
export type FolderMapFiles = ReturnType<typeof createFolderMapFiles>

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
    return { facts: await readMapFileFacts({ beginning, metadata, sizeBytes }), fault: undefined }
  } catch (error) {
    if (error instanceof MapFileFault) {
      const { kind, message } = error
      return { facts: undefined, fault: { kind, message } }
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
