import type { Kysely } from 'kysely'
import { queryBySize } from './query-by-size.ts'
import type { TrackRow, TracksTables } from './tables.ts'

/** What has to be known of a track to append to it. */
export type TrackEnd = Pick<TrackRow, 'id' | 'event_id' | 'last_point_ms' | 'loose_chunks'>

/** Gives the ends of the tracks that there are, by their ids. */
export type FindTrackEnds = (trackIds: readonly string[]) => Promise<Map<string, TrackEnd>>

export function createFindTrackEnds(db: Kysely<TracksTables>): FindTrackEnds {
  const select = queryBySize((size) =>
    db
      .selectFrom('tracks')
      .select(['id', 'event_id', 'last_point_ms', 'loose_chunks'])
      .where('id', 'in', Array(size).fill(''))
      .compile(),
  )
  return async function findTrackEnds(trackIds) {
    const { rows } = await db.executeQuery(select(trackIds.length, trackIds))
    return new Map(rows.map((row) => [row.id, row]))
  }
}
