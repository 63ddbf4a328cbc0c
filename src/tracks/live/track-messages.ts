import type { Kysely } from 'kysely'
import type { TracksTables } from '../storage/tables.ts'
import { type ChangedTrack, findDeleted, readTails, readTracks } from '../storage/track-changes.ts'
import { livePoints, positionsPerTrack } from './live-points.ts'
import type { LiveMessage } from './viewer.ts'

/** Tracks that are read at once. */
const TRACKS_PER_READ = 100
/** Longest end of a track that is sent. Viewers that need earlier positions read the series. */
const TAIL_MS = 30 * 60_000

/** The state of a track that was sent: its latest change, and its points up to a time. */
export type SentTrack = { updatedAt: number; lastPointMs: number | null }

/**
 * Makes the messages for changed tracks, some tracks at a time. `sent` holds what was sent before. It is updated only
 * once all messages of a batch are made, so that a failure marks nothing as sent that was not.
 */
export async function* trackMessages(
  db: Kysely<TracksTables>,
  changed: readonly ChangedTrack[],
  sent: Map<string, SentTrack>,
): AsyncGenerator<LiveMessage[]> {
  const maxPositions = positionsPerTrack(changed.length)
  for (let start = 0; start < changed.length; start += TRACKS_PER_READ) {
    const messages: LiveMessage[] = []
    const ids = changed.slice(start, start + TRACKS_PER_READ).map(({ id }) => id)
    const rows = await readTracks(db, ids)
    const sentMs = (id: string) => sent.get(id)?.lastPointMs ?? Number.MIN_SAFE_INTEGER
    const tails = await readTails(
      db,
      rows.flatMap(({ id, last_point_ms }) => {
        if (last_point_ms === null || last_point_ms <= sentMs(id)) return []
        return [{ trackId: id, afterMs: Math.max(sentMs(id), last_point_ms - TAIL_MS) }]
      }),
    )
    for (const row of rows) {
      messages.push({ event: 'track', row })
      const tail = tails.get(row.id)
      if (tail === undefined || tail.count === 0) continue
      const hasGap = sentMs(row.id) < row.last_point_ms! - TAIL_MS && tail.count < row.point_count
      messages.push({ event: 'points', points: livePoints(row.id, tail, maxPositions, hasGap) })
    }
    for (const row of rows) sent.set(row.id, { updatedAt: row.updated_at, lastPointMs: row.last_point_ms })
    yield messages
  }
}

/** Makes the messages for deleted tracks. */
export async function deletionMessages(db: Kysely<TracksTables>, eventId: string, sinceMs: number) {
  const rows = await findDeleted(db, eventId, sinceMs)
  return rows.map(({ track_id }) => ({ event: 'track-deleted' as const, id: track_id }))
}
