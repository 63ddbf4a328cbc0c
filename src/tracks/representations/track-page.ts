import { invalidFields } from '#platform/errors.ts'
import type { OperatorTracksStore, TrackPlace, TrackSearch, TrackSort } from '../storage/operator-tracks-store.ts'
import type { TrackRow } from '../storage/tables.ts'

export type TrackPageRequest = { sort: TrackSort; descending: boolean; limit: number; cursor: string | undefined }

/** One page of an event's tracks with the cursor of the next one. @throws badRequest for a cursor of another list */
export async function findTrackPage(
  store: OperatorTracksStore,
  eventId: string,
  search: TrackSearch,
  { sort, descending, limit, cursor }: TrackPageRequest,
): Promise<{ rows: TrackRow[]; nextCursor: string | null }> {
  const list = `${sort} ${descending ? 'desc' : 'asc'}`
  const after = cursor === undefined ? undefined : decodeCursor(cursor, list)
  // One more than asked for tells whether there is a next page.
  const found = await store.search(eventId, search, { sort, descending, after, limit: limit + 1 })
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  const hasMore = found.length > limit && last !== undefined
  return { rows, nextCursor: hasMore ? encodeCursor({ key: last.sort_key, id: last.id }, list) : null }
}

function encodeCursor({ key, id }: TrackPlace, list: string): string {
  return Buffer.from(JSON.stringify([list, key, id])).toString('base64url')
}

/** A cursor says which order it is of: in another one its place would be anywhere. */
function decodeCursor(cursor: string, list: string): TrackPlace {
  try {
    const [ofList, key, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    const isKey = list.startsWith('title') ? typeof key === 'string' : Number.isFinite(key)
    if (ofList === list && isKey && typeof id === 'string') return { key, id }
  } catch {
    // It is none of ours.
  }
  throw invalidFields([{ path: 'cursor', message: 'must be a next_cursor of this list, in the same order' }])
}
