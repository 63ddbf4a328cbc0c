import type { Kysely } from 'kysely'
import type { KeptData, NamedBlob } from '../backup/kept-data.ts'

/** A place in the data of a service: the table or `rows`, and what the last thing before it was called there. */
export type Place = { leg: string; after: string | undefined }

/** Something stored, with the place behind it, from which a round that was broken off goes on. */
export type StoredThing = { place: Place } & (
  | { blob: NamedBlob }
  | { damage: { key: string; subjectId: string; detail: string } | undefined; bytes: number }
)

/** Leg of what a service keeps in its rows. */
const ROWS = 'rows'

/**
 * Goes through everything that a service stores, from a place on, and always in the same order. `isDue` chooses the
 * rows that are read; of files, all are named.
 */
export async function* storedData(
  db: Kysely<unknown>,
  { blobs, inspectRows }: Pick<KeptData, 'blobs' | 'inspectRows'>,
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
  { key, at }: Pick<NamedBlob, 'key' | 'at'>,
): Promise<NamedBlob | undefined> {
  for await (const blob of named(before)) {
    if (blob.key === key) return blob
    if (blob.at !== at) return undefined
  }
  return undefined
}
