import type { Database } from '#platform/database/database.ts'
import type { GuardedInsert } from '#platform/database/guarded-insert.ts'
import { concatColumns } from '../points/point-set.ts'
import type { AppendRequest } from './append-request.ts'
import { chunkRows } from './chunks-store.ts'
import type { TailAppend } from './partition-appends.ts'
import type { ChunkRow, TracksTables } from './tables.ts'

/**
 * Appends points to the ends of tracks, each another one. Returns for each whether they were added: they are not if the
 * track got later points or another person meanwhile, or was deleted. Points later than all others, the usual case, are certainly new, so
 * nothing needs to be read or locked first.
 */
export type AppendTail = (additions: readonly TailAppend<AppendRequest>[], nowMs: number) => Promise<boolean[]>

/** New chunks, guarded by the end of their track. `updated_at` only ever grows, as in `nextUpdate`. */
const APPEND: GuardedInsert = {
  guard: {
    table: 'tracks',
    values: {
      id: 'text',
      first_ms: 'bigint',
      last_ms: 'bigint',
      points: 'bigint',
      chunks: 'bigint',
      now_ms: 'bigint',
      user_id: 'text',
    },
    set: (value) => `
      revision = tracks.revision + 1,
      point_count = tracks.point_count + ${value('points')},
      last_point_ms = ${value('last_ms')},
      loose_chunks = tracks.loose_chunks + ${value('chunks')},
      updated_at = case when tracks.updated_at < ${value('now_ms')} then ${value('now_ms')} else tracks.updated_at + 1 end`,
    where: (value) => `
      (tracks.last_point_ms is null or tracks.last_point_ms < ${value('first_ms')})
      and (${value('user_id')} is null or tracks.user_id = ${value('user_id')})`,
  },
  insert: {
    table: 'chunks',
    columns: {
      track_id: 'text',
      first_ms: 'bigint',
      last_ms: 'bigint',
      count: 'bigint',
      merged: 'bigint',
      bytes: 'bytes',
    },
  },
}

export function createAppendTail({ guardedInsert }: Database<TracksTables>): AppendTail {
  const append = guardedInsert(APPEND)
  return async function appendTail(additions, nowMs) {
    return await append(
      additions.map(({ end, requests }) => {
        const chunks = chunkRows(end.id, concatColumns(requests.map(({ points }) => points)))
        const lastMs = chunks[chunks.length - 1].last_ms
        const points = chunks.reduce((sum, { count }) => sum + count, 0)
        return {
          guard: [end.id, chunks[0].first_ms, lastMs, points, chunks.length, nowMs, userOf(requests)],
          rows: chunks.map(rowValues),
        }
      }),
    )
  }
}

/** Returns the person of whom the track must be, because one of the requests is limited to their tracks. */
function userOf(requests: readonly AppendRequest[]): string | null {
  for (const { scope } of requests) if (scope.userId !== null) return scope.userId
  return null
}

/** Values in the order of the columns in `APPEND`. */
function rowValues({ track_id, first_ms, last_ms, count, merged, bytes }: ChunkRow) {
  return [track_id, first_ms, last_ms, count, merged, bytes]
}
