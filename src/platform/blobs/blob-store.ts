import type { Readable } from 'node:stream'

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
