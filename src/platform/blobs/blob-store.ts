import { createHash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { PartialBlobs } from './partial-blobs.ts'

/**
 * A store of files: a folder or a bucket. A stored file is a blob under a key. It never changes and is never partly
 * visible. Every method rejects with UNAVAILABLE and the reason if the store cannot be used.
 */
export type BlobStore = {
  readonly kind: 'files' | 'S3'
  /**
   * Writes a stream to a draft that has no key yet, at the store's pace and in constant memory. It has finished with a
   * chunk when it requests the next one, so a source may reuse the chunk's memory. If the source fails, its
   * own error is thrown and nothing is left. The source is never destroyed, so that a request whose body
   * could not be stored still gets a response.
   */
  draft(source: AsyncIterable<Uint8Array>): Promise<BlobDraft>
  /** Files that arrive in several requests. */
  readonly partials: PartialBlobs
  /**
   * Reads a blob, or the existing bytes of a range; undefined if the blob does not exist. Destroying the stream stops
   * it.
   */
  read(key: string, range?: BlobRange): Promise<Readable | undefined>
  /** Returns the metadata of a blob; undefined if it does not exist. */
  head(key: string): Promise<BlobHead | undefined>
  /**
   * Returns the path of a blob's file, whether or not it exists, for code that can only read by path; undefined if
   * blobs are not files. The file must only be read.
   */
  localPath(key: string): string | undefined
  /** Deletes a blob if it exists. Streams that are reading it continue. */
  delete(key: string): Promise<void>
  /**
   * Lists the blobs of a folder (`''`, or a start of keys that ends with `/`) in no particular order, without drafts.
   */
  list(folder?: string): AsyncIterable<ListedBlob>
  /** Deletes drafts of unfinished uploads that are older than this. Returns their number. */
  sweepDrafts(olderThanMs: number): Promise<number>
  /** Resolves if the store can be used. */
  check(): Promise<void>
  /** Closes connections. */
  close(): Promise<void>
}

/** Written bytes without a key. `commit` or `discard` ends a draft; after a crash, a sweep does. */
export type BlobDraft = {
  readonly size: number
  /**
   * Turns the draft into a blob, which is synced and visible when this resolves.
   * @throws BlobExistsError if the key is taken
   */
  commit(key: string): Promise<void>
  /**
   * Turns the draft into the blob of a key, in place of the one there is, if there is one: readers see the one or the
   * other, also after a crash. Only for the repair of a damaged blob.
   */
  replace(key: string): Promise<void>
  /** Deletes the draft unless it was committed. */
  discard(): Promise<void>
  /** Discards the draft unless it was committed, for `await using draft = …`. */
  [Symbol.asyncDispose](): Promise<void>
}

/** A range of bytes from `start` to `end`, both inclusive, counted from 0. */
export type BlobRange = { start: number; end: number }

type BlobHead = { size: number }

type ListedBlob = { key: string; size: number; modifiedMs: number }

/** Thrown when the key is taken: blobs are never overwritten. */
export class BlobExistsError extends Error {
  readonly key: string

  constructor(key: string) {
    super(`There is a blob under ${key} already`)
    this.name = 'BlobExistsError'
    this.key = key
  }
}

/**
 * Matches a segment of a key. It begins with a letter or digit, which excludes `.`, `..`, hidden files and the drafts'
 * folder, and has no character with a meaning in file systems or addresses.
 */
const SEGMENT = '[A-Za-z0-9][A-Za-z0-9._-]*'
const KEY = new RegExp(`^${SEGMENT}(?:/${SEGMENT})*$`)

/** File systems allow 255 bytes for a segment. S3 allows 1,024 for a key, prefix included. */
const MAX_SEGMENT_LENGTH = 200
const MAX_KEY_LENGTH = 512

/**
 * Tells whether a text is a valid key: segments of `[A-Za-z0-9._-]` that begin with a letter or digit, joined by `/`.
 */
export function isBlobKey(text: string): boolean {
  return (
    text.length <= MAX_KEY_LENGTH &&
    KEY.test(text) &&
    text.split('/').every((segment) => segment.length <= MAX_SEGMENT_LENGTH)
  )
}

/** Keys are never made from a user's text, so an invalid one is a bug. @throws Error */
export function assertBlobKey(key: string): void {
  if (!isBlobKey(key)) throw new Error(`${JSON.stringify(key)} cannot be the key of a blob`)
}

/** A folder is empty, for all blobs, or leading segments of a key with a `/` at the end. @throws Error */
export function assertBlobFolder(folder: string): void {
  if (folder !== '' && !(folder.endsWith('/') && isBlobKey(folder.slice(0, -1))))
    throw new Error(`${JSON.stringify(folder)} cannot be a folder of blobs`)
}

/** Bytes of the written file: more than the rest of a block that a full disk may still have. */
const WRITTEN_BYTES = 65_536

/** Folder of the files that checks write and remove. */
const CHECKS = 'checks/'

/** Stores a small file, as uploads do, and removes it. Rejects with UNAVAILABLE if the store takes none. */
export async function checkBlobWrite(store: BlobStore): Promise<void> {
  const key = `${CHECKS}${randomUUID()}`
  await using draft = await store.draft(someBytes())
  await draft.commit(key)
  await store.delete(key)
}

async function* someBytes(): AsyncGenerator<Uint8Array> {
  yield Buffer.alloc(WRITTEN_BYTES)
}

/**
 * Reads a source without destroying it: a request whose body could not be stored still gets a response on the same
 * connection.
 */
export function readSource(source: AsyncIterable<Uint8Array>) {
  let size = 0
  let failure: { error: unknown } | undefined

  async function* bytes(): AsyncGenerator<Uint8Array, void, void> {
    const chunks = source instanceof Readable ? source.iterator({ destroyOnReturn: false }) : source
    const iterator: AsyncIterator<Uint8Array> = chunks[Symbol.asyncIterator]()
    try {
      for (;;) {
        // Only errors from here are the source's: the reader can throw into the `yield`, too.
        const next = await iterator.next().catch((error) => {
          failure = { error }
          throw error
        })
        if (next.done === true) return
        size += next.value.byteLength
        yield next.value
      }
    } finally {
      await iterator.return?.()
    }
  }

  return {
    bytes: bytes(),
    /** Number of bytes read so far. */
    size: () => size,
    /** Tells whether the source itself failed. */
    hasFailed: () => failure !== undefined,
    /** Returns the source's own error if it failed, which must not be translated, else the store's. */
    failureOr: (error: unknown, translate: (error: unknown) => unknown): unknown =>
      failure === undefined ? translate(error) : failure.error,
  }
}

/** Reads a stream to its end, in constant memory. Returns its size and SHA-256. */
export async function sumOf(source: AsyncIterable<Uint8Array>): Promise<{ size: number; sha256: string }> {
  const digest = createHash('sha256')
  let size = 0
  for await (const bytes of source) {
    digest.update(bytes)
    size += bytes.byteLength
  }
  return { size, sha256: digest.digest('hex') }
}
