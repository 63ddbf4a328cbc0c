import type { Kysely } from 'kysely'
import type { TrackRow, TracksTables } from '../storage/tables.ts'
import { type ChangedTrack, findDeleted, readTail, readTracks } from '../storage/track-changes.ts'
import { livePoints, positionsOfEach } from './live-points.ts'
import type { LiveMessage } from './viewer.ts'

/** Tracks that are read at once. */
const TRACKS_PER_READ = 100
/** So much of a track's end is told at most; who needs what is before it reads the series. */
const TAIL_MS = 30 * 60_000

/** What has been told of a track: as it was at this change, with its points up to this time. */
export type ToldTrack = { updatedAt: number; lastPointMs: number | null }

/**
 * What to tell of tracks, some tracks at a time. `told` is what was told before, and is kept up: only with messages that
 * are all there, so that a failure makes nothing seem told that was not.
 */
export async function* trackMessages(
  db: Kysely<TracksTables>,
  changed: readonly ChangedTrack[],
  told: Map<string, ToldTrack>,
): AsyncGenerator<LiveMessage[]> {
  const most = positionsOfEach(changed.length)
  for (let start = 0; start < changed.length; start += TRACKS_PER_READ) {
    const messages: LiveMessage[] = []
    const ids = changed.slice(start, start + TRACKS_PER_READ).map(({ id }) => id)
    const rows = await readTracks(db, ids)
    for (const row of rows) {
      messages.push({ event: 'track', row })
      const toldMs = told.get(row.id)?.lastPointMs ?? Number.MIN_SAFE_INTEGER
      if (row.last_point_ms === null || row.last_point_ms <= toldMs) continue
      messages.push(...(await pointMessages(db, row, row.last_point_ms, { toldMs, most })))
    }
    for (const row of rows) told.set(row.id, { updatedAt: row.updated_at, lastPointMs: row.last_point_ms })
    yield messages
  }
}

/** Which tracks are gone. */
export async function deletionMessages(db: Kysely<TracksTables>, eventId: string, sinceMs: number) {
  const rows = await findDeleted(db, eventId, sinceMs)
  return rows.map(({ track_id }) => ({ event: 'track-deleted' as const, id: track_id }))
}

async function pointMessages(
  db: Kysely<TracksTables>,
  row: TrackRow,
  lastPointMs: number,
  { toldMs, most }: { toldMs: number; most: number },
): Promise<LiveMessage[]> {
  const tail = await readTail(db, row.id, Math.max(toldMs, lastPointMs - TAIL_MS))
  if (tail.count === 0) return []
  const hasGap = toldMs < lastPointMs - TAIL_MS && tail.count < row.point_count
  return [{ event: 'points', points: livePoints(row.id, tail, most, hasGap) }]
}
