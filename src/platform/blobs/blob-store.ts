import type { Readable } from 'node:stream'

/**
 * Where files are kept: a folder or a bucket. A stored file is a blob under a key; it never changes, and it is there
 * whole or not at all. Every method rejects with UNAVAILABLE, naming the reason, when the store cannot be used.
 */
export type BlobStore = {
  readonly kind: 'files' | 'S3'
  /**
   * Takes a whole stream in under no key yet, at the pace at which it can be written, in memory that does not grow with
   * it. It is done with a piece when it asks for the next one, so that a source may use the piece's memory again. When
   * the source fails, its own error comes through and nothing is left. The source is never destroyed, so that a request
   * whose body could not be stored can still be answered.
   */
  draft(source: AsyncIterable<Uint8Array>): Promise<BlobDraft>
  /** The bytes, or what there is of a part of them; undefined when there is no such blob. Destroying the stream ends it. */
  read(key: string, range?: BlobRange): Promise<Readable | undefined>
  /** What is known of a blob without reading it; undefined when there is none. */
  head(key: string): Promise<BlobHead | undefined>
  /**
   * Where the file of a blob lies, or would lie, for what reads by path alone; undefined where blobs are no files. What
   * is there may be read and nothing else.
   */
  localPath(key: string): string | undefined
  /** Deletes a blob; one that is not there is fine. Who is reading it reads on. */
  delete(key: string): Promise<void>
  /** Every blob of a folder (`''`, or a key's beginning that ends with `/`), in no particular order; drafts are none. */
  list(folder?: string): AsyncIterable<ListedBlob>
  /** Deletes what uploads that never ended have left for longer than this, and tells how many there were. */
  sweepDrafts(olderThanMs: number): Promise<number>
  /** Resolves when the store can be used. */
  check(): Promise<void>
  /** Lets go of connections. */
  close(): Promise<void>
}

/** Bytes that are written and have no key yet: one of `commit` and `discard` ends it, a sweep does after a crash. */
export type BlobDraft = {
  readonly size: number
  /** Makes it a blob: synced and visible when this resolves. @throws BlobExistsError when the key is taken. */
  commit(key: string): Promise<void>
  /** Deletes it, unless it has been committed. */
  discard(): Promise<void>
  /** `await using draft = …` discards what was not committed. */
  [Symbol.asyncDispose](): Promise<void>
}

/** The bytes from `start` to `end`, both included, counted from 0. */
export type BlobRange = { start: number; end: number }

export type BlobHead = { size: number }

export type ListedBlob = { key: string; size: number; modifiedMs: number }

/** The key is taken: blobs are never overwritten. */
export class BlobExistsError extends Error {
  readonly key: string

  constructor(key: string) {
    super(`There is a blob under ${key} already`)
    this.name = 'BlobExistsError'
    this.key = key
  }
}
