import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, type FileHandle, open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type Appender, appendSource } from './append-source.ts'
import { onStore, translateBlobFailure } from './blob-failure.ts'
import type { BlobDraft } from './blob-store.ts'
import { ifMissing, syncFolder } from './folder-tree.ts'
import { type AppendOptions, type PartialBlob, type PartialBlobs, PartialLostError } from './partial-blobs.ts'

/** Time between two syncs of an upload. Each waits for the disk, and a crash costs no more than this. */
const SYNC_EVERY_MS = 2000

type Place = {
  /** Folder of the drafts. */
  drafts: string
  draft(source: AsyncIterable<Uint8Array>): Promise<BlobDraft>
  /** Makes a blob of a file among the drafts, which keeps its name there. @throws BlobExistsError */
  link(path: string, key: string): Promise<void>
}

/**
 * Makes the partial files of a store of files: each is a file among the drafts, to which further bytes are appended. A
 * writer that takes over from one that may still be writing begins another file.
 */
export function createFilePartials(place: Place): PartialBlobs {
  const { drafts } = place
  const pathOf = (name: string) => join(drafts, name)

  return {
    async append(before, source, options) {
      const appender = await onStore(() => openAppender(drafts, before, options))
      return await appendSource(source, appender, options)
    },

    async assemble(partial) {
      const sizes = await onStore(() => Promise.all(partial.pieces.map(({ name }) => sizeOf(pathOf(name)))))
      if (partial.pieces.some(({ size }, at) => sizes[at] < size)) throw await lost(drafts)
      const read = () => Readable.from(bytesOf(partial, pathOf), { objectMode: false })
      // Bytes that were written and not recorded are no part of the file.
      const [only] = partial.pieces
      const isOneFile = partial.pieces.length === 1 && sizes[0] === only.size
      return {
        read: async () => read(),
        async commit(key) {
          if (isOneFile) return await place.link(pathOf(only.name), key)
          await using draft = await place.draft(bytesOf(partial, pathOf))
          await draft.commit(key)
        },
      }
    },

    remove: ({ pieces }) =>
      onStore(async () => {
        for (const { name } of pieces) await rm(pathOf(name), { force: true })
      }),
  }
}

async function* bytesOf({ pieces }: PartialBlob, pathOf: (name: string) => string): AsyncGenerator<Buffer> {
  try {
    for (const { name, size } of pieces)
      if (size > 0) yield* createReadStream(pathOf(name), { end: size - 1, highWaterMark: 262_144 })
  } catch (error) {
    throw translateBlobFailure(error)
  }
}

/** Returns the size of a file; -1 if it is missing. */
async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(ifMissing(undefined)))?.size ?? -1
}

/** Returns the error of a missing file, unless the whole folder is missing: an unmounted disk comes back. */
async function lost(drafts: string): Promise<PartialLostError> {
  await onStore(() => access(drafts))
  return new PartialLostError()
}

async function openAppender(
  drafts: string,
  before: PartialBlob | undefined,
  { isTakenOver, record }: AppendOptions,
): Promise<Appender> {
  const pieces = [...(before?.pieces ?? [])]
  const last = pieces.at(-1)
  const isNew = last === undefined || isTakenOver
  const piece = isNew ? { name: randomUUID(), size: 0 } : last
  if (!isNew) pieces.pop()
  const path = join(drafts, piece.name)
  const file = await (isNew ? open(path, 'wx', 0o600) : openExisting(drafts, path, piece.size))
  let isNamed = !isNew
  let size = piece.size
  const earlierBytes = (before?.size ?? 0) - piece.size

  return {
    syncEveryMs: SYNC_EVERY_MS,
    async write(chunk) {
      for (let at = 0; at < chunk.byteLength; ) {
        const { bytesWritten } = await file.write(chunk, at, chunk.byteLength - at, size)
        at += bytesWritten
        size += bytesWritten
      }
    },
    async sync() {
      await onStore(async () => {
        await file.sync()
        if (!isNamed) await syncFolder(drafts)
      })
      isNamed = true
      const synced = { size: earlierBytes + size, pieces: [...pieces, { name: piece.name, size }] }
      await record(synced)
      return synced
    },
    close: () => file.close(),
  }
}

/** Opens a file without the bytes that were written and never counted. */
async function openExisting(drafts: string, path: string, size: number): Promise<FileHandle> {
  const file = await open(path, 'r+').catch(ifMissing(undefined))
  if (file === undefined) throw await lost(drafts)
  try {
    const found = await file.stat()
    if (found.size < size) throw new PartialLostError()
    if (found.size > size) await file.truncate(size)
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}
