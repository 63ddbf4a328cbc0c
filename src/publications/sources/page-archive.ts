import type { Readable } from 'node:stream'
import { type Entry, getFileNameLowLevel, openPromise, type ZipFile } from 'yauzl'

/** Reasons to refuse an archive as a whole. */
export type ArchiveRefusal = 'damaged' | 'encrypted' | 'too_many_files' | 'unpacks_too_large'

export class ArchiveError extends Error {
  readonly reason: ArchiveRefusal

  constructor(reason: ArchiveRefusal, options?: ErrorOptions) {
    super(`The archive is refused: ${reason}`, options)
    this.name = 'ArchiveError'
    this.reason = reason
  }
}

/** Entries of an archive, folders included: more than the pages of any publication. */
const MAX_ENTRIES = 20_000
/** Longest part of a name that the order depends on. */
const MAX_NAME_LENGTH = 1_024
/** Size of an unpacked file: a page of 100 megapixels without compression, at one byte a pixel and colour. */
const MAX_FILE_BYTES = 300_000_000
/** Size of all unpacked files. Pictures hardly shrink in an archive, but scans without compression do. */
const MAX_UNPACKED_BYTES = 2_000_000_000

/** A file in an archive. Its name says where it belongs and is never used as a path. */
export type ArchivedFile = {
  name: string
  /** Size, unpacked. */
  bytes: number
  /**
   * Unpacks the file as a whole if its first bytes are wanted; else only these.
   * @throws Error if the file is damaged or larger than it claims
   */
  read(headBytes: number, isWanted: (head: Uint8Array) => boolean): Promise<Uint8Array>
}

/**
 * Opens a ZIP file and lists its files in the order of pages: the natural order of their full names, `2.jpg` before
 * `10.jpg`, folders first. Folders, hidden files and the leavings of operating systems are left out.
 * @throws ArchiveError
 */
export async function openPageArchive(path: string): Promise<{ files: ArchivedFile[]; close(): void }> {
  const zip = await openPromise(path, {
    autoClose: false,
    lazyEntries: true,
    // Names that would be dangerous as paths are no reason to refuse an archive whose names are no paths.
    decodeStrings: false,
    validateEntrySizes: true,
  }).catch((cause) => {
    throw new ArchiveError('damaged', { cause })
  })
  try {
    const files = await listFiles(zip)
    return { files: files.sort((a, b) => comparePaths(a.name, b.name)), close: () => zip.close() }
  } catch (cause) {
    zip.close()
    throw cause instanceof ArchiveError ? cause : new ArchiveError('damaged', { cause })
  }
}

async function listFiles(zip: ZipFile): Promise<ArchivedFile[]> {
  const files: ArchivedFile[] = []
  let entries = 0
  let unpackedBytes = 0
  for await (const entry of zip.eachEntry()) {
    if (++entries > MAX_ENTRIES) throw new ArchiveError('too_many_files')
    const name = nameOf(entry)
    if (isLeftOut(name)) continue
    if (entry.isEncrypted()) throw new ArchiveError('encrypted')
    unpackedBytes += entry.uncompressedSize
    if (entry.uncompressedSize > MAX_FILE_BYTES || unpackedBytes > MAX_UNPACKED_BYTES)
      throw new ArchiveError('unpacks_too_large')
    files.push({
      name,
      bytes: entry.uncompressedSize,
      read: async (...wanted) => await readWanted(await zip.openReadStreamPromise(entry), ...wanted),
    })
  }
  return files
}

/** A film among pictures has hundreds of megabytes, of which the first bytes say that it is none. */
async function readWanted(
  stream: Readable,
  headBytes: number,
  isWanted: (head: Uint8Array) => boolean,
): Promise<Uint8Array> {
  const pieces: Buffer[] = []
  let bytes = 0
  let isDecided = false
  for await (const piece of stream as AsyncIterable<Buffer>) {
    pieces.push(piece)
    bytes += piece.length
    if (isDecided || bytes < headBytes) continue
    isDecided = true
    // Leaving the loop closes the stream.
    if (!isWanted(Buffer.concat(pieces))) break
  }
  return Buffer.concat(pieces)
}

function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false).slice(0, MAX_NAME_LENGTH)
}

function isLeftOut(name: string): boolean {
  return (
    name.endsWith('/') ||
    name
      .split('/')
      .some(
        (part) => (part.startsWith('.') && !/^\.+$/.test(part)) || part === '__MACOSX' || /^thumbs\.db$/i.test(part),
      )
  )
}

const { compare } = new Intl.Collator('en', { numeric: true })

/** Compares two names folder by folder; at each level, folders come before files. */
function comparePaths(a: string, b: string): number {
  const [ofA, ofB] = [a.split('/'), b.split('/')]
  for (let level = 0; level < Math.min(ofA.length, ofB.length); level++) {
    const [aIsFile, bIsFile] = [ofA, ofB].map((parts) => level === parts.length - 1)
    if (aIsFile !== bIsFile) return aIsFile ? 1 : -1
    const order = compare(ofA[level], ofB[level])
    if (order !== 0) return order
  }
  return a < b ? -1 : a > b ? 1 : 0
}
