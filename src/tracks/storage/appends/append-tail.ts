import type { Database } from '#platform/database/database.ts'
import type { GuardedInsert, GuardedRows } from '#platform/database/guarded-insert.ts'
import { concatColumns } from '../../points/point-set.ts'
import { chunkRows } from '../chunks-store.ts'
import { type ChunkRow, MAX_COARSE_LAG_MS, type TracksTables } from '../tables.ts'
import type { AppendRequest } from './append-request.ts'
import type { TailAppend } from './partition-appends.ts'
import type { TrackEnd } from './track-end-cache.ts'

/**
 * Appends points to the ends of tracks, each another one. Returns for each whether they were added: they are not if the
 * track got later points or another person meanwhile, or was deleted. Points later than all others, the usual case, are
 * certainly new, so nothing needs to be read or locked first.
 */
export type AppendTail = (additions: readonly TailAppend<AppendRequest>[], nowMs: number) => Promise<boolean[]>

/** Lag from which a batch brings the coarse time up to date. Half of the longest: clocks of instances differ. */
const COARSE_LAG_MS = MAX_COARSE_LAG_MS / 2

type ValueOf = Parameters<GuardedInsert['guard']['set']>[0]

/** The time of the latest change only ever grows, as in `nextUpdate`. */
const nextUpdate = (value: ValueOf) =>
  `case when tracks.updated_at < ${value('now_ms')} then ${value('now_ms')} else tracks.updated_at + 1 end`

const countPoints = (value: ValueOf) => `
  revision = tracks.revision + 1,
  point_count = tracks.point_count + ${value('points')},
  last_point_ms = ${value('last_ms')},
  loose_chunks = tracks.loose_chunks + ${value('chunks')},
  updated_at = ${nextUpdate(value)}`

const isAtEnd = (value: ValueOf) => `tracks.event_id = ${value('event_id')}
  and (tracks.last_point_ms is null or tracks.last_point_ms < ${value('first_ms')})
  and (${value('user_id')} is null or tracks.user_id = ${value('user_id')})`

/** New chunks, guarded by the end of their track, with a change of columns that no index contains. */
const APPEND: GuardedInsert = {
  guard: {
    table: 'tracks',
    values: {
      id: 'text',
      event_id: 'text',
      first_ms: 'bigint',
      last_ms: 'bigint',
      points: 'bigint',
      chunks: 'bigint',
      now_ms: 'bigint',
      user_id: 'text',
    },
    set: countPoints,
    where: (value) => `${isAtEnd(value)} and tracks.to_compact = 1
      and tracks.coarse_updated_at > tracks.updated_at - ${MAX_COARSE_LAG_MS}
      and tracks.coarse_updated_at > ${value('now_ms')} - ${MAX_COARSE_LAG_MS}`,
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

/** The same with a change of the columns in indexes, for one batch in a while. */
const APPEND_INDEXED: GuardedInsert = {
  ...APPEND,
  guard: {
    ...APPEND.guard,
    set: (value) => `${countPoints(value)}, coarse_updated_at = ${nextUpdate(value)}, to_compact = 1`,
    where: isAtEnd,
  },
}

/** Tells whether the next batch of a track has to change what is in indexes. */
export function isIndexDue({ coarse_updated_at, to_compact }: TrackEnd, nowMs: number): boolean {
  return to_compact === 0 || nowMs - coarse_updated_at >= COARSE_LAG_MS
}

export function createAppendTail({ guardedInsert }: Database<TracksTables>): AppendTail {
  const append = guardedInsert(APPEND)
  const appendIndexed = guardedInsert(APPEND_INDEXED)
  return async function appendTail(additions, nowMs) {
    const isDue = additions.map(({ end }) => isIndexDue(end, nowMs))
    const groups = additions.map((addition) => guardedRows(addition, nowMs))
    if (!isDue.includes(true)) return await append(groups)
    const [due, others] = await Promise.all([
      appendIndexed(groups.filter((_, i) => isDue[i])),
      isDue.includes(false) ? append(groups.filter((_, i) => !isDue[i])) : [],
    ])
    return isDue.map((one) => (one ? due : others).shift()!)
  }
}

function guardedRows({ end, requests }: TailAppend<AppendRequest>, nowMs: number): GuardedRows {
  const chunks = chunkRows(end.id, concatColumns(requests.map(({ points }) => points)))
  const lastMs = chunks[chunks.length - 1].last_ms
  const points = chunks.reduce((sum, { count }) => sum + count, 0)
  return {
    guard: [end.id, end.event_id, chunks[0].first_ms, lastMs, points, chunks.length, nowMs, userOf(requests)],
    rows: chunks.map(rowValues),
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
