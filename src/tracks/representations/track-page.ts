import { createCursorCodec, isCursorText, pageOf } from '#platform/cursor/list-cursor.ts'
import type { OperatorTracksStore, TrackPosition, TrackSearch, TrackSort } from '../storage/operator-tracks-store.ts'
import type { TrackRow } from '../storage/tables.ts'

type TrackPageRequest = { sort: TrackSort; descending: boolean; limit: number; cursor: string | undefined }

/**
 * Returns one page of an event's tracks with the cursor of the next.
 * @throws badRequest for a cursor of another list
 */
export async function findTrackPage(
  store: Pick<OperatorTracksStore, 'search'>,
  eventId: string,
  search: TrackSearch,
  { sort, descending, limit, cursor }: TrackPageRequest,
): Promise<{ rows: TrackRow[]; nextCursor: string | null }> {
  const cursors = createCursorCodec<TrackPosition>(
    `${sort} ${descending ? 'desc' : 'asc'}`,
    ({ key, id }) => (sort === 'title' ? isCursorText(key) : Number.isFinite(key)) && isCursorText(id),
  )
  const after = cursor === undefined ? undefined : cursors.decode(cursor)
  const found = await store.search(eventId, search, { sort, descending, after, limit: limit + 1 })
  return pageOf(found, limit, cursors, (row) => ({ key: row.sort_key, id: row.id }))
}
