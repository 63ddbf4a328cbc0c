import { type CompiledQuery, type Kysely, sql } from 'kysely'
import type { Database } from '#platform/database/database.ts'
import { concatColumns } from '../points/point-set.ts'
import type { AppendRequest } from './append-request.ts'
import { chunkRows } from './chunks-store.ts'
import type { TailAppend } from './partition-appends.ts'
import { queryBySize } from './query-by-size.ts'
import type { ChunkRow, TracksTables } from './tables.ts'

/**
 * Appends points to the ends of tracks, all or none. Returns false if a track got later points meanwhile or was deleted.
 * Points later than all others, the usual case, are certainly new, so nothing needs to be read or locked first and the
 * whole transaction is sent at once.
 */
export type AppendTail = (additions: readonly TailAppend<AppendRequest>[], nowMs: number) => Promise<boolean>

export function createAppendTail({ db, changeTogether, shardOf }: Database<TracksTables>): AppendTail {
  const isDistributed = shardOf !== undefined
  const insertChunks = queryBySize((size) => buildInsert(db, size))
  const updateTracks = queryBySize((size) => buildUpdate(db, size, isDistributed))

  return async function appendTail(additions, nowMs) {
    const chunks = additions.map(({ end, requests }) =>
      chunkRows(end.id, concatColumns(requests.map(({ points }) => points))),
    )
    const rows = chunks.flat()
    const changes = chunks.flatMap((added) => [
      added[0].track_id,
      added[0].first_ms,
      added[added.length - 1].last_ms,
      added.reduce((sum, { count }) => sum + count, 0),
      added.length,
    ])
    const named = isDistributed ? additions.map(({ end }) => end.id) : []
    return await changeTogether([
      { query: updateTracks(chunks.length, [...changes, nowMs, nowMs, ...named]), rows: chunks.length },
      { query: insertChunks(rows.length, rows.flatMap(rowValues)), rows: rows.length },
    ])
  }
}

/** Values in the order of the columns in `buildInsert`. */
function rowValues({ track_id, first_ms, last_ms, count, merged, bytes }: ChunkRow): unknown[] {
  return [track_id, first_ms, last_ms, count, merged, bytes]
}

function buildInsert(db: Kysely<TracksTables>, size: number): CompiledQuery {
  const row: ChunkRow = { track_id: '', first_ms: 0, last_ms: 0, count: 0, merged: 0, bytes: new Uint8Array() }
  return db.insertInto('chunks').values(Array(size).fill(row)).compile()
}

/**
 * The casts of the first row give all rows their types. `updated_at` only ever grows, as in `nextUpdate`. A distributed
 * database finds the shard by ids in a condition, not in values.
 */
function buildUpdate(db: Kysely<TracksTables>, size: number, isDistributed: boolean): CompiledQuery {
  const typed = sql`(cast(${''} as text), cast(${0} as bigint), cast(${0} as bigint), cast(${0} as bigint), cast(${0} as bigint))`
  const untyped = sql`(${''}, ${0}, ${0}, ${0}, ${0})`
  const values = Array.from({ length: size }, (_, i) => (i === 0 ? typed : untyped))
  const inShard = isDistributed ? sql` and tracks.id in (${sql.join(Array(size).fill(''))})` : sql``
  return sql`
    with change (id, first_ms, last_ms, points, chunks) as (values ${sql.join(values)})
    update tracks set revision = tracks.revision + 1, point_count = tracks.point_count + change.points,
      last_point_ms = change.last_ms, loose_chunks = tracks.loose_chunks + change.chunks,
      updated_at = case when tracks.updated_at < cast(${0} as bigint) then cast(${0} as bigint) else tracks.updated_at + 1 end
    from change
    where tracks.id = change.id and (tracks.last_point_ms is null or tracks.last_point_ms < change.first_ms)${inShard}`.compile(
    db,
  )
}
