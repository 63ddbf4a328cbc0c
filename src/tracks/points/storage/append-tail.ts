import type { Span } from '@opentelemetry/api'
import type { CompiledQuery, Kysely } from 'kysely'
import { boundedCache } from '#platform/basics/bounded-cache.ts'
import type { Database, GuardedInsert, GuardedRows } from '#platform/database/database.ts'
import { type ChunkRow, MAX_COARSE_LAG_MS, type TrackRow, type TracksTables } from '../../model/tables.ts'
import { isInScope, type TrackScope } from '../../model/track-rows.ts'
import { concatColumns, type PointColumns } from '../point-columns.ts'
import { chunkRows } from './chunks-store.ts'

/** The columns that appending to a track needs. */
export type TrackEnd = Pick<TrackRow, (typeof COLUMNS)[number]>

const COLUMNS = [
  'id',
  'event_id',
  'user_id',
  'last_point_ms',
  'point_count',
  'loose_chunks',
  'coarse_updated_at',
  'to_compact',
] as const satisfies (keyof TrackRow)[]

/** Each entry takes some hundred bytes. */
const MAX_ENTRIES = 10_000
/** Appends after which a track is read again, so that its number of uncompacted chunks stays roughly right. */
const MAX_APPENDS = 16

/**
 * Remembers where tracks end, as of the last append. An entry may be outdated: it says where points probably go, and
 * the statement that appends them checks it.
 */
export class TrackEndCache {
  readonly #db: Kysely<TracksTables>
  readonly #select
  readonly #known = boundedCache<TrackEnd & { appends: number }>(MAX_ENTRIES)

  constructor(db: Kysely<TracksTables>) {
    this.#db = db
    this.#select = queryBySize((size) =>
      db.selectFrom('tracks').select(COLUMNS).where('id', 'in', Array(size).fill('')).compile(),
    )
  }

  /** Returns the ends of the tracks that exist. */
  async find(trackIds: ReadonlySet<string>): Promise<Map<string, TrackEnd>> {
    const ends = new Map<string, TrackEnd>()
    const unknown: string[] = []
    for (const id of trackIds) {
      const known = this.#known.get(id)
      if (known === undefined) unknown.push(id)
      else ends.set(id, known)
    }
    if (unknown.length === 0) return ends
    const { rows } = await this.#db.executeQuery(this.#select(unknown.length, unknown))
    for (const row of rows) ends.set(row.id, row)
    return ends
  }

  /** Records an append of `count` points up to `lastMs`. */
  appended(end: TrackEnd, lastMs: number, count: number): void {
    const appends = (this.#known.get(end.id)?.appends ?? 0) + 1
    if (appends === MAX_APPENDS) this.#known.delete(end.id)
    else {
      const { id, event_id, user_id, point_count, loose_chunks, coarse_updated_at, to_compact } = end
      this.#known.set(id, {
        id,
        event_id,
        user_id,
        last_point_ms: lastMs,
        point_count: point_count + count,
        loose_chunks: loose_chunks + 1,
        coarse_updated_at,
        to_compact,
        appends,
      })
    }
  }

  forget(trackId: string): void {
    this.#known.delete(trackId)
  }
}

/**
 * Returns a function that gives a query over a list of rows. Each length of list is compiled once and reused with other
 * parameters: compiling a query for thirty rows takes several times as long as running it.
 */
function queryBySize<Row>(
  build: (size: number) => CompiledQuery<Row>,
): (size: number, parameters: readonly unknown[]) => CompiledQuery<Row> {
  const built: CompiledQuery<Row>[] = []
  return (size, parameters) => {
    built[size] ??= build(size)
    return { ...built[size], parameters }
  }
}

/** Each entry takes some hundred bytes; a track needs one while its points arrive. */
const TRACK_SHARDS_MAX_ENTRIES = 50_000

/** Returns the shard of a track with all its points. */
export type TrackShards = (trackId: string) => Promise<number>

/**
 * Remembers the shards of tracks, so that only the first batch of a track asks the database. Undefined on one machine.
 */
export function createTrackShards({ shardOf }: Database<TracksTables>): TrackShards | undefined {
  if (shardOf === undefined) return undefined
  const known = boundedCache<number>(TRACK_SHARDS_MAX_ENTRIES)
  return async (trackId) => {
    const shard = known.get(trackId) ?? (await shardOf('tracks', trackId))
    known.set(trackId, shard)
    return shard
  }
}

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

/** Tells whether the next batch of a track has to change indexed columns. */
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

/**
 * Most points of a track: eight weeks at one per second. Statistics, exports and maps of a track need all of its points
 * in memory, some 400 MB of them. The count may be a few batches old, so a track can have somewhat more.
 */
export const MAX_POINTS_PER_TRACK = 5_000_000

/** The points of one request, at least one and in canonical order, and their track, which must be in the scope. */
export type AppendRequest = { scope: TrackScope; trackId: string; points: PointColumns }

/** The result of an append. Points that were not added were stored before. */
export type AppendReceipt = { addedCount: number; uncompactedChunks: number }

/** A request that waits for its points to be stored. */
export type WaitingAppend = AppendRequest & {
  /** New points stored so far: late points that span much of a track are stored in several steps, each on its own. */
  addedCount: number
  /** The span in which it waits; undefined without traces. */
  span?: Span | undefined
  resolve(receipt: AppendReceipt): void
  reject(error: unknown): void
}

/** Requests that append to the end of one track: in time order, none overlapping another. */
export type TailAppend<Request extends AppendRequest> = { end: TrackEnd; requests: Request[] }

/** Requests grouped by how their points are stored. */
type PartitionedAppends<Request extends AppendRequest> = {
  /** The track does not exist, or is outside the scope of the request. */
  unknown: Request[]
  /** All points are later than the stored ones of the track, which has room for them. */
  tail: TailAppend<Request>[]
  /** Some points may be stored already, lie between stored ones, or be more than the track can have. */
  overlapping: Request[]
}

/** Separates requests whose points are later than all others of their track from the rest. */
export function partitionAppends<Request extends AppendRequest>(
  requests: readonly Request[],
  ends: ReadonlyMap<string, TrackEnd>,
): PartitionedAppends<Request> {
  const partitioned: PartitionedAppends<Request> = { unknown: [], tail: [], overlapping: [] }
  const ofTrack = new Map<string, TailAppend<Request>>()
  for (const request of [...requests].sort(byFirstTime)) {
    const end = ends.get(request.trackId)
    if (end === undefined || !isInScope(end, request.scope)) {
      partitioned.unknown.push(request)
      continue
    }
    const before = ofTrack.get(end.id)
    if (!isForTail(request, before?.requests.at(-1), end)) partitioned.overlapping.push(request)
    else if (before === undefined) ofTrack.set(end.id, { end, requests: [request] })
    else before.requests.push(request)
  }
  // Transactions that lock tracks in the same order never deadlock.
  partitioned.tail.push(...[...ofTrack.values()].sort((a, b) => (a.end.id < b.end.id ? -1 : 1)))
  return partitioned
}

function byFirstTime(a: AppendRequest, b: AppendRequest): number {
  return a.points.timeMs[0] - b.points.timeMs[0]
}

function isForTail({ points }: AppendRequest, previous: AppendRequest | undefined, end: TrackEnd): boolean {
  if (end.point_count >= MAX_POINTS_PER_TRACK) return false
  const lastMs = previous === undefined ? end.last_point_ms : previous.points.timeMs[previous.points.count - 1]
  return lastMs === null || points.timeMs[0] > lastMs
}
