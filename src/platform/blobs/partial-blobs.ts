import type { Readable } from 'node:stream'

/**
 * A file that arrives in several requests, as its owner keeps it between them: JSON, of which only the size is of
 * interest outside the store. The bytes lie among the drafts, so that a sweep removes the ones that nobody continues.
 */
export type PartialBlob = {
  /** Synced bytes. */
  readonly size: number
  /** Files or objects with bytes, in order. A bucket has at most one: the rest that is too short for a part. */
  readonly pieces: readonly PartialPiece[]
  readonly multipart?: PartialMultipart
}

type PartialPiece = { readonly name: string; readonly size: number }

/** An S3 multipart upload, whose parts come before the pieces. */
export type PartialMultipart = {
  /** Name of the object to be, among the drafts. */
  readonly name: string
  readonly uploadId: string
  /** Number of the next part. One writer uses it at a time, and a writer that takes over skips it. */
  readonly nextPart: number
  readonly parts: readonly { readonly number: number; readonly size: number; readonly etag: string }[]
}

/** The part of a store that takes a file in several requests. */
export type PartialBlobs = {
  /**
   * Writes a source to the end of a partial file and syncs it, also if the source fails, whose own error is then
   * thrown. The source is never destroyed.
   * @throws PartialLostError if earlier bytes are gone
   */
  append(
    before: PartialBlob | undefined,
    source: AsyncIterable<Uint8Array>,
    options: AppendOptions,
  ): Promise<PartialBlob>
  /** Puts the bytes together for reading. May be repeated until `remove`. @throws PartialLostError */
  assemble(partial: PartialBlob): Promise<AssembledBlob>
  /** Deletes the bytes of a partial file, unless they became a blob. */
  remove(partial: PartialBlob): Promise<void>
}

export type AppendOptions = {
  /**
   * Set if an earlier writer may still be writing, unaware that it was replaced: its bytes must not mix
   * with these.
   */
  isTakenOver: boolean
  /**
   * Stores how far the file has got, each time that further bytes are synced. Throws if another writer has taken over;
   * then nothing more is written.
   */
  record(partial: PartialBlob): Promise<void>
  /** Throws if the source, which is complete, is not what it must be. Until it has been called, no byte counts. */
  verify?: () => void
  /** Receives a function that syncs and records what has been written until now. */
  onOpen?: (syncNow: () => Promise<void>) => void
}

/** All bytes of a partial file, which stays. */
export type AssembledBlob = {
  read(): Promise<Readable>
  /** Makes a blob of the bytes, synced and visible when this resolves. @throws BlobExistsError */
  commit(key: string): Promise<void>
}

/** Thrown if bytes of a partial file are gone, such as after a restore of a backup. */
export class PartialLostError extends Error {
  constructor(options?: ErrorOptions) {
    super('Bytes of a partial file are gone', options)
    this.name = 'PartialLostError'
  }
}
