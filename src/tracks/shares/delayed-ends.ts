import { type Kysely, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { boundedCache } from '#platform/basics/bounded-cache.ts'
import type { TrackRow, TracksTables } from '../model/tables.ts'
import { firstIndexAfter } from '../points/point-columns.ts'
import type { DelayedReplay } from '../statistics/kept-answers.ts'
import { type ComputingDeps, isShort } from '../statistics/points-pool.ts'
import { type DelayedEnd, delayedColumns } from './spectator-delay.ts'

/** Tracks whose points are counted at once. */
const TRACKS_PER_READ = 100
/** Tracks whose ends are kept, some 100 bytes each. */
const MAX_KEPT = 20_000
/** Memory for the times of points in chunks of which only a part is shown: those of a thousand tracks. */
const KEPT_TIMES_BYTES = 32 * 1_048_576
/** Attempts to read chunks that are merged meanwhile. */
const MAX_ATTEMPTS = 3

type Row = Pick<TrackRow, 'id' | 'revision' | 'point_count' | 'last_point_ms'>
type TimesCache = LRUCache<string, Float64Array>
type Ends = Promise<ReadonlyMap<string, DelayedEnd>>

/**
 * Returns what tracks have up to a time, by their ids. Those who ask at about the same time share one reading.
 * @throws unavailable if too many computations wait
 */
export type DelayedEnds = (rows: readonly Row[], untilMs: number) => Promise<ReadonlyMap<string, DelayedEnd>>

/**
 * Creates the reader of delayed ends. An end is kept for a revision of its track and a step of the shown time. Of a
 * chunk that is shown in part, only the times are decoded, in a thread if they are many, and once: the next steps find
 * them.
 */
export function createDelayedEnds(deps: ComputingDeps): DelayedEnds {
  const kept = boundedCache<{ revision: number; untilMs: number; ends: Ends }>(MAX_KEPT)
  const times: TimesCache = new LRUCache({
    maxSize: KEPT_TIMES_BYTES,
    sizeCalculation: (timeMs, key) => timeMs.byteLength + key.length,
  })

  function read(rows: readonly Row[], untilMs: number): void {
    const ids = rows.map(({ id }) => id)
    const ends = endsUntil(deps, times, ids, untilMs)
    // A failure is not kept.
    ends.catch(() => {
      for (const id of ids) if (kept.peek(id)?.ends === ends) kept.delete(id)
    })
    for (const { id, revision } of rows) kept.set(id, { revision, untilMs, ends })
  }

  return async (rows, untilMs) => {
    const isCut = ({ last_point_ms }: Row) => last_point_ms !== null && last_point_ms > untilMs
    const unknown = rows.filter((row) => {
      const found = kept.get(row.id)
      return isCut(row) && (found?.revision !== row.revision || found.untilMs !== untilMs)
    })
    for (let start = 0; start < unknown.length; start += TRACKS_PER_READ) {
      read(unknown.slice(start, start + TRACKS_PER_READ), untilMs)
    }
    const found = rows.map((row) => [row, isCut(row) ? kept.get(row.id)?.ends : undefined] as const)
    const ends = new Map<string, DelayedEnd>()
    for (const [{ id, point_count, last_point_ms }, read] of found) {
      const whole = { count: point_count, lastMs: last_point_ms }
      ends.set(id, read === undefined ? whole : ((await read).get(id) ?? { count: 0, lastMs: null }))
    }
    return ends
  }
}

/** A chunk of which only a part is shown. */
type CutChunk = { trackId: string; firstMs: number; lastMs: number; count: number }

/** Counts the points of tracks up to a time. */
async function endsUntil(deps: ComputingDeps, times: TimesCache, ids: readonly string[], untilMs: number) {
  const ends = new Map<string, DelayedEnd>()
  let open = ids
  for (let attempt = 1; open.length > 0 && attempt <= MAX_ATTEMPTS; attempt++) {
    const heads = await readHeads(deps.db, open, untilMs)
    const cut = heads.flatMap((head) => (head.cut === undefined ? [] : [head.cut]))
    const found = await readTimes(deps, times, cut)
    // A chunk that has been merged meanwhile is counted again.
    open = cut.flatMap((chunk) => (found.has(keyOf(chunk)) ? [] : [chunk.trackId]))
    for (const { trackId, whole, cut } of heads)
      ends.set(trackId, withPart(whole, cut && found.get(keyOf(cut)), untilMs))
  }
  return ends
}

function withPart(whole: DelayedEnd, timeMs: Float64Array | undefined, untilMs: number): DelayedEnd {
  if (timeMs === undefined) return whole
  const count = firstIndexAfter({ timeMs, count: timeMs.length }, untilMs)
  return count === 0 ? whole : { count: whole.count + count, lastMs: timeMs[count - 1] }
}

/** Returns what the whole chunks of tracks have until a time, and the one chunk that goes on after it. */
async function readHeads(db: Kysely<TracksTables>, ids: readonly string[], untilMs: number) {
  const ifCut = (column: 'first_ms' | 'last_ms' | 'count') =>
    sql<number | null>`max(case when last_ms > ${untilMs} then ${sql.ref(column)} end)`
  const rows = await db
    .selectFrom('chunks')
    .select([
      'track_id',
      sql<number | null>`sum(case when last_ms <= ${untilMs} then count end)`.as('points'),
      sql<number | null>`max(case when last_ms <= ${untilMs} then last_ms end)`.as('latest_ms'),
      ifCut('first_ms').as('cut_first_ms'),
      ifCut('last_ms').as('cut_last_ms'),
      ifCut('count').as('cut_count'),
    ])
    .where('track_id', 'in', ids)
    .where('first_ms', '<=', untilMs)
    .groupBy('track_id')
    .execute()
  return rows.map(({ track_id: trackId, points, latest_ms, cut_first_ms, cut_last_ms, cut_count }) => ({
    trackId,
    whole: { count: Number(points), lastMs: latest_ms === null ? null : Number(latest_ms) },
    cut:
      cut_first_ms === null
        ? undefined
        : { trackId, firstMs: Number(cut_first_ms), lastMs: Number(cut_last_ms), count: Number(cut_count) },
  }))
}

/** Returns the times of the points in chunks; none of chunks that are gone. */
async function readTimes({ db, pool, turns }: ComputingDeps, kept: TimesCache, chunks: readonly CutChunk[]) {
  const times = new Map(
    chunks.flatMap((chunk) => {
      const known = kept.get(keyOf(chunk))
      return known === undefined ? [] : [[keyOf(chunk), known]]
    }),
  )
  const unknown = chunks.filter((chunk) => !times.has(keyOf(chunk)))
  if (unknown.length === 0) return times
  const rows = await db
    .selectFrom('chunks')
    .select(['track_id as trackId', 'first_ms as firstMs', 'last_ms as lastMs', 'count', 'bytes'])
    .where((is) =>
      is.or(
        unknown.map(({ trackId, firstMs }) => is.and([is('track_id', '=', trackId), is('first_ms', '=', firstMs)])),
      ),
    )
    .execute()
  const task = { chunks: rows.map(({ bytes }) => bytes) }
  const read = isShort(task.chunks)
    ? await pool.times(task, 'inline')
    : await turns.take('spectator', () => pool.times(task, 'in a thread'))
  for (const [i, row] of rows.entries()) {
    kept.set(keyOf(row), read[i])
    times.set(keyOf(row), read[i])
  }
  return times
}

/** Identifies the points of a chunk: the times of chunks never touch, and points are never changed or removed. */
function keyOf({ trackId, firstMs, lastMs, count }: CutChunk): string {
  return `${trackId} ${firstMs} ${lastMs} ${count}`
}

/** Creates the reader of what a replay shows at a time: the tracks that had points by then, as they were. */
export function createDelayedReplay(delayedEnds: DelayedEnds): DelayedReplay {
  return async (tracks, untilMs) => {
    const ends = await delayedEnds(tracks, untilMs)
    const delayed = tracks.map((track) => ({ ...track, ...delayedColumns(track, untilMs, ends.get(track.id)!) }))
    return delayed.filter(({ point_count }) => point_count > 0)
  }
}
