import type { Kysely } from 'kysely'
import { eachDatabase, type Installation, isTableMissing, type KeptData, type NamedBlob } from '../backup/kept-data.ts'
import { translateBlobFailure } from '../blobs/blob-failure.ts'
import { type BlobStore, sumOf } from '../blobs/blob-store.ts'

/** A place in the data of a service: the table or `rows`, and the name of the last thing before it there. */
export type Place = { leg: string; after: string | undefined }

/** Something stored, with the place behind it, from which a round that was broken off goes on. */
export type StoredThing = { place: Place } & (
  | { blob: NamedBlob }
  | { damage: { key: string; subjectId: string; detail: string } | undefined; bytes: number }
)

/** Leg of a service's rows. */
const ROWS = 'rows'

/**
 * Goes through everything that a service stores, from a place on, and always in the same order. `isDue` chooses the
 * rows that are read; of files, all are named.
 */
export async function* storedData(
  db: Kysely<unknown>,
  { blobs, inspectRows }: KeptData,
  from: Place | undefined,
  isDue: (key: string) => boolean,
): AsyncGenerator<StoredThing> {
  const legs = [...Object.keys(blobs), ...(inspectRows === undefined ? [] : [ROWS])]
  const first = from === undefined ? 0 : Math.max(0, legs.indexOf(from.leg))
  for (const leg of legs.slice(first)) {
    const after = leg === from?.leg ? from.after : undefined
    if (leg === ROWS)
      for await (const { at, damage, bytes } of inspectRows!(db, after, isDue))
        yield { place: { leg, after: at }, damage, bytes }
    else for await (const blob of blobs[leg](db, after)) yield { place: { leg, after: blob.at }, blob }
  }
}

/**
 * Reads a row again that named a file, whose row before it was at `before`: the file may have been deleted, or made
 * again, while it was looked at. @returns undefined if it is not named any more
 */
export async function findNamed(
  named: (after: string | undefined) => AsyncIterable<NamedBlob>,
  before: string | undefined,
  { key, at }: NamedBlob,
): Promise<NamedBlob | undefined> {
  for await (const blob of named(before)) {
    if (blob.key === key) return blob
    if (blob.at !== at) return undefined
  }
  return undefined
}

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
 * Compares a stored file with its row: existence and size, and its SHA-256 if all bytes are read.
 * @returns undefined if all is well
 * @throws UNAVAILABLE if the store cannot be used
 */
export async function lookAtFile(
  blobs: BlobStore,
  { key, size, sha256 }: NamedBlob,
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
  blobs: BlobStore,
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

/** A stored file that is missing or damaged. */
export type BadFile = FileProblem & { service: string; blob: NamedBlob }

/** Stored files that were looked at. */
type VerifiedFiles = { count: number; bytes: number }

/**
 * Reads every stored file that rows name, and reports missing or damaged ones. Rows that are gone by then do not count.
 * Page images whose rows have no SHA-256 yet are checked for existence and size.
 */
export async function verifyFiles(
  installation: Installation,
  blobs: BlobStore,
  onBad: (bad: BadFile) => Promise<void>,
): Promise<VerifiedFiles> {
  const totals: VerifiedFiles = { count: 0, bytes: 0 }
  await eachDatabase(installation, async ({ name: service, blobs: tables }, { db }) => {
    for (const read of Object.values(tables))
      try {
        const named = (after?: string) => read(db, after)
        let before: string | undefined
        let at: string | undefined
        for await (const blob of named()) {
          if (blob.at !== at) [before, at] = [at, blob.at]
          if (blob.isNamedAgain) continue
          totals.count++
          totals.bytes += blob.size
          const bad = await findBad(blobs, named, blob, before)
          if (bad !== undefined) await onBad({ ...bad, service })
        }
      } catch (error) {
        if (!isTableMissing(error)) throw error
      }
  })
  return totals
}

/** Looks twice before it calls a file bad, the second time with the row as it is by then. */
async function findBad(
  blobs: BlobStore,
  named: (after?: string) => AsyncIterable<NamedBlob>,
  seen: NamedBlob,
  before: string | undefined,
): Promise<Omit<BadFile, 'service'> | undefined> {
  if ((await lookAtFile(blobs, seen, { readsAll: true })) === undefined) return undefined
  const blob = await findNamed(named, before, seen)
  const problem = blob && (await lookAtFile(blobs, blob, { readsAll: true }))
  return problem && { ...problem, blob }
}
