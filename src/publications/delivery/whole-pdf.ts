import { Readable } from 'node:stream'
import type { BlobRange, BlobStore } from '#platform/blobs/blob-store.ts'
import { textKey, type VersionFile } from '../model/files-store.ts'

/** A PDF as readers get it. */
type WholePdf = {
  size: number
  etag: string
  /** Reads it, or the bytes of a range, from two files as if they were one; undefined if the file does not exist. */
  read(range?: BlobRange): Promise<Readable | undefined>
}

/** Returns the file of a version with the recognised text that follows it, if it was made of images. */
export function wholePdf(blobs: BlobStore, { blobKey, size, sha256, text, versionId }: VersionFile): WholePdf {
  if (text === undefined) return { size, etag: sha256, read: (range) => blobs.read(blobKey, range) }
  const whole = size + text.size
  return {
    size: whole,
    etag: `${sha256}-${text.sha256.slice(0, 16)}`,
    async read({ start, end } = { start: 0, end: whole - 1 }) {
      const readText = (from: number) => blobs.read(textKey(versionId), { start: from, end: end - size })
      if (end < size) return await blobs.read(blobKey, { start, end })
      if (start >= size) return await readText(start - size)
      const file = await blobs.read(blobKey, { start, end: size - 1 })
      return file && Readable.from(bothOf(file, () => readText(0)))
    },
  }
}

/** The text is opened when its turn comes: a download may take long. */
async function* bothOf(file: Readable, openText: () => Promise<Readable | undefined>): AsyncGenerator<Uint8Array> {
  yield* file
  const text = await openText()
  if (text === undefined) throw new Error('The recognised text of a PDF is missing')
  yield* text
}
