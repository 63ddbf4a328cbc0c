import { type Kysely, sql } from 'kysely'
import type { TracksTables } from '../tables.ts'

/** The state of a track that is followed, as JSON, and what it was computed from. */
type StoredFollowedTrack = {
  track_id: string
  track_revision: string
  course_revision: number
  state: string
}

/** The tracks that have been followed along the course of their event. */
export type FollowedTracksStore = {
  /** Returns what is stored for these tracks, of any revision. */
  find(trackIds: readonly string[]): Promise<StoredFollowedTrack[]>
  /** Stores tracks. Those deleted meanwhile are left out. */
  save(rows: readonly StoredFollowedTrack[]): Promise<void>
  /** Removes what is stored for tracks that no longer exist. */
  removeLost(): Promise<void>
}

/** Rows of one statement. */
const ROWS_PER_STATEMENT = 200

export function createFollowedTracksStore(db: Kysely<TracksTables>): FollowedTracksStore {
  return {
    async find(trackIds) {
      const found: StoredFollowedTrack[] = []
      for (let i = 0; i < trackIds.length; i += ROWS_PER_STATEMENT) {
        const ids = trackIds.slice(i, i + ROWS_PER_STATEMENT)
        found.push(...(await db.selectFrom('followed_tracks').selectAll().where('track_id', 'in', ids).execute()))
      }
      return found
    },

    async save(rows) {
      for (let i = 0; i < rows.length; i += ROWS_PER_STATEMENT)
        await saveSome(db, rows.slice(i, i + ROWS_PER_STATEMENT))
    },

    async removeLost() {
      const isLost = sql<boolean>`not exists (select 1 from tracks where tracks.id = followed_tracks.track_id)`
      await db.deleteFrom('followed_tracks').where(isLost).execute()
    },
  }
}

/**
 * Stores some tracks, without a lock: they can lie on several machines. One that is deleted at this moment may leave
 * a row behind, which `removeLost` removes.
 */
async function saveSome(db: Kysely<TracksTables>, rows: readonly StoredFollowedTrack[]): Promise<void> {
  const ids = rows.map(({ track_id }) => track_id)
  const tracks = await db.selectFrom('tracks').select('id').where('id', 'in', ids).execute()
  const kept = new Set(tracks.map(({ id }) => id))
  const values = rows.filter(({ track_id }) => kept.has(track_id))
  if (values.length === 0) return
  await db
    .insertInto('followed_tracks')
    .values(values)
    .onConflict((conflict) =>
      conflict.column('track_id').doUpdateSet((row) => ({
        track_revision: row.ref('excluded.track_revision'),
        course_revision: row.ref('excluded.course_revision'),
        state: row.ref('excluded.state'),
      })),
    )
    .execute()
}
