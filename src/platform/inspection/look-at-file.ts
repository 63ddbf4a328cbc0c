import type { NamedBlob } from '../backup/kept-data.ts'
import { translateBlobFailure } from '../blobs/blob-failure.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import { sumOf } from '../blobs/sum-of.ts'

/** A fault of a stored file. */
export type FileProblem = { problem: 'missing' | 'damaged'; detail: string }

type LookOptions = {
  /** Reads all bytes, and not existence and size alone. */
  readsAll: boolean
  /** Awaited after each piece, which sets the pace. */
  onBytes?: (bytes: number) => Promise<void>
  /** Receives the SHA-256 of a file whose row has none. Without it, such a file is not read. */
  onSum?: ((found: { size: number; sha256: string }) => Promise<void>) | undefined
}

/**
 * Compares a stored file with what its row says: existence and size, and its SHA-256 if all bytes are read.
 * @returns undefined if all is well
 * @throws UNAVAILABLE if the store cannot be used
 */
export async function lookAtFile(
  blobs: Pick<BlobStore, 'head' | 'read'>,
  { key, size, sha256 }: Pick<NamedBlob, 'key' | 'size' | 'sha256'>,
  { readsAll, onBytes = async () => {}, onSum }: LookOptions,
): Promise<FileProblem | undefined> {
  const head = await blobs.head(key)
  if (head === undefined) return { problem: 'missing', detail: 'the file is missing' }
  if (head.size !== size) return { problem: 'damaged', detail: `it has ${head.size} bytes in place of ${size}` }
  if (!readsAll || (sha256 === undefined && onSum === undefined)) return undefined
  const found = await readSum(blobs, key, onBytes)
  if ('problem' in found) return found
  if (found.size !== size || (sha256 !== undefined && found.sha256 !== sha256))
    return { problem: 'damaged', detail: 'its SHA-256 is another one' }
  if (sha256 === undefined) await onSum?.(found)
  return undefined
}

async function readSum(
  blobs: Pick<BlobStore, 'read'>,
  key: string,
  onBytes: (bytes: number) => Promise<void>,
): Promise<FileProblem | { size: number; sha256: string }> {
  try {
    const source = await blobs.read(key)
    if (source === undefined) return { problem: 'missing', detail: 'the file is missing' }
    return await sumOf(paced(source, onBytes))
  } catch (error) {
    if (isBroken(error)) return { problem: 'damaged', detail: 'the disk cannot read it' }
    throw translateBlobFailure(error)
  }
}

async function* paced(source: AsyncIterable<Uint8Array>, onBytes: (bytes: number) => Promise<void>) {
  for await (const bytes of source) {
    yield bytes
    await onBytes(bytes.byteLength)
  }
}

/** Tells whether a disk has failed at this file. Others may be whole. */
function isBroken(error: unknown): boolean {
  const { code, cause } = error as NodeJS.ErrnoException
  return code === 'EIO' || (cause as NodeJS.ErrnoException | undefined)?.code === 'EIO'
}
