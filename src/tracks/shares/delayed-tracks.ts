import type { Kysely } from 'kysely'
import { boundedCache } from '#platform/basics/bounded-cache.ts'
import type { TrackRow, TracksTables } from '../model/tables.ts'
import type { ShownTrackRow } from '../model/track-rows.ts'
import { isTrimmed, shownPartOf } from '../model/track-state.ts'
import { decodeTail } from '../points/chunks/chunk-codec.ts'
import type { PointColumns } from '../points/point-columns.ts'
import { readChunks } from '../points/storage/chunks-store.ts'
import { readStoredTails, readTails, type TailQuery } from '../points/storage/track-changes.ts'
import { createBackgroundQueue } from '../points/turns.ts'
import {
  createCurrentStatistics,
  createFiguresCheck,
  createRefreshStatistics,
  createTerrainUnderTracks,
  type FigureDeps,
  gatherInputs,
  type HasCurrentFigures,
  methodOf,
} from '../statistics/current-statistics.ts'
import { createEventHeights } from '../statistics/event-courses.ts'
import { createProfiles } from '../statistics/kept-answers.ts'
import { type ComputingDeps, isShort } from '../statistics/points-pool.ts'
import { type KeptStatisticsJson, type StatisticsJson, withGivenFigures } from '../statistics/statistics.ts'
import { createDelayedEnds, createDelayedReplay, type DelayedEnds } from './delayed-ends.ts'
import { delayedRow } from './spectator-delay.ts'

/**
 * Tracks that were stopped this long before the shown time have their stored figures, which are the same, and there at
 * once: an event of thousands would have none for minutes after each start.
 */
const SETTLED_MS = 86_400_000

/**
 * Returns tracks as they were at a time, in their order, for spectators who may know nothing later: whoever shows them
 * anything begins with these rows. Tracks that had not begun are left out. Nothing in a row, nor what is computed from
 * it, tells of anything later, not even that there is more: a row is the same whether there is or not.
 */
export type DelayedTracks = (rows: readonly TrackRow[], untilMs: number) => Promise<TrackRow[]>

/** Creates the reader of delayed tracks. With an infinite time it returns the rows as they are. */
function createDelayedTracks(
  delayedEnds: DelayedEnds,
  delayedStatistics: DelayedStatistics,
  hasCurrentFigures: HasCurrentFigures,
): DelayedTracks {
  return async (stored, untilMs) => {
    if (untilMs === Number.POSITIVE_INFINITY) return [...stored]
    const begun = stored.filter(({ start_ms }) => start_ms <= untilMs)
    const ends = await delayedEnds(begun, untilMs)
    const rows = begun.map((row) => {
      const delayed = delayedRow(row, untilMs, ends.get(row.id)!)
      const isSettled = delayed.state === 'stopped' && delayed.updated_at <= untilMs - SETTLED_MS
      if (isSettled && !goesOnAfter(row, untilMs) && hasCurrentFigures(row)) {
        delayedStatistics.keep(delayed, untilMs, shownFigures(row))
      }
      return delayed
    })
    delayedStatistics.refresh(rows, untilMs)
    return rows.map((row) => ({ ...row, ...delayedStatistics.find(row) }))
  }
}

function shownFigures(row: TrackRow): StatisticsJson | undefined {
  const { shown, ...whole }: KeptStatisticsJson = JSON.parse(row.computed_stats!)
  return isTrimmed(shownPartOf(row)) ? shown : whole
}

/** Tells whether a track has anything later than a time: its beginning, a point, its end, or any other change. */
export function goesOnAfter(row: ShownTrackRow, untilMs: number): boolean {
  const { start_ms, last_point_ms, end_ms, updated_at } = row
  return Math.max(start_ms, last_point_ms ?? start_ms, end_ms ?? start_ms, updated_at) > untilMs
}

/** Shortest time between two computations of a track that goes on. */
const MIN_INTERVAL_MS = 20_000
/** Tracks whose figures are kept, some 1 kB each. */
const MAX_KEPT = 20_000

/** The columns of a delayed row that its statistics fill. */
type Figures = Pick<TrackRow, 'computed_stats' | 'computed_revision' | 'computed_method'>

/**
 * Statistics of delayed tracks, for spectators. They are kept in memory only: a few minutes later those of the whole
 * track replace them. What is there, and when it is computed, depends on the delayed rows alone.
 */
type DelayedStatistics = ReturnType<typeof createDelayedStatistics>

/**
 * Statistics of a revision of a delayed row, as of a time; `shownUntilMs` is the end of the part that they describe.
 */
type Kept = {
  key: string
  revision: number
  method: string
  untilMs: number
  shownUntilMs: number
  statistics: StatisticsJson
}

/** Creates the statistics of one instance. They are computed in the background, one track at a time. */
function createDelayedStatistics(deps: FigureDeps) {
  const { db, pool, turns, terrain, maxAccuracyMeters } = deps
  const kept = boundedCache<Kept>(MAX_KEPT)
  const queue = createBackgroundQueue(({ row, untilMs }: { row: TrackRow; untilMs: number }) =>
    turns.take('maintenance', () => compute(row, untilMs)),
  )
  const currentMethod = () => methodOf(maxAccuracyMeters, terrain.file())

  function keep(row: TrackRow, untilMs: number, method: string, statistics: StatisticsJson): void {
    const shownUntilMs = shownPartOf(row).untilMs
    kept.set(row.id, { key: keyOf(row), revision: row.revision, method, untilMs, shownUntilMs, statistics })
  }

  async function compute(row: TrackRow, untilMs: number): Promise<void> {
    const reading = readChunks(db, row.id, untilMs).then((chunks) => ({ row, chunks }))
    const { points, method } = await gatherInputs(deps, row.event_id, reading, 'in a thread')
    const { whole } = await pool.statistics({ ...points, isShownPartOnly: true }, 'in a thread')
    keep(row, untilMs, method, whole)
  }

  /** Finds nothing later than the row, as after a trim, or while a clock is set back. */
  function findKept(row: TrackRow): Kept | undefined {
    const found = kept.get(row.id)
    if (found === undefined || found.key !== keyOf(row)) return undefined
    return found.shownUntilMs <= shownPartOf(row).untilMs ? found : undefined
  }

  return {
    /** Returns the newest statistics that describe nothing later than the row, as stored; none until computed. */
    find(row: TrackRow): Partial<Figures> {
      const found = findKept(row)
      if (found === undefined) return {}
      const { statistics, revision, method } = found
      const shown = withGivenFigures(statistics, row.given_stats)
      return {
        computed_stats: JSON.stringify({ ...statistics, shown }),
        computed_revision: revision,
        computed_method: method,
      }
    },
    /** Queues the tracks whose statistics are those of an earlier time. */
    refresh(rows: readonly TrackRow[], untilMs: number): void {
      for (const row of rows) {
        const found = findKept(row)
        const isCurrent = found?.revision === row.revision && found.method === currentMethod()
        const isRecent = found !== undefined && Math.abs(untilMs - found.untilMs) < MIN_INTERVAL_MS
        if (!isCurrent && !isRecent && row.point_count > 0) queue.add(row.id, { row, untilMs })
      }
    },
    /** Takes statistics that are known from elsewhere, if they are. */
    keep(row: TrackRow, untilMs: number, statistics: StatisticsJson | undefined): void {
      if (statistics === undefined || findKept(row)?.revision === row.revision) return
      keep(row, untilMs, currentMethod(), statistics)
    },
  }
}

/** Identifies the beginning of the shown part. Figures of another would tell what an operator took away. */
function keyOf({ shown_from_ms, activity_type }: TrackRow): string {
  return `${shown_from_ms} ${activity_type}`
}

/**
 * Returns the ends of tracks by their ids. Tracks without such points are missing.
 * @throws unavailable if too many computations wait
 */
export type DelayedTails = (tails: readonly TailQuery[]) => Promise<ReadonlyMap<string, PointColumns>>

/**
 * Creates the reader of the ends of delayed tracks. Such an end is in the midst of the points, in chunks of thousands
 * once they are compacted or of a file, and each step of the shown time moves it: they are decoded in a thread.
 */
function createDelayedTails({ db, pool, turns }: ComputingDeps): DelayedTails {
  return async (queries) => {
    const stored = await readStoredTails(db, queries)
    const tails = stored.map(({ chunks, afterMs, untilMs }) => ({ chunks, afterMs, untilMs }))
    const read = isShort(tails.flatMap(({ chunks }) => chunks))
      ? tails.map(decodeTail)
      : await turns.take('spectator', () => pool.tails({ tails }))
    return new Map(stored.map(({ trackId }, i) => [trackId, read[i]]))
  }
}

/** Reads the ends of tracks: with a delay they are in the midst of the points, and otherwise read at once. */
export async function readShownTails(
  { db, delayedTails }: { db: Kysely<TracksTables>; delayedTails: DelayedTails },
  isDelayed: boolean,
  tails: readonly TailQuery[],
): Promise<ReadonlyMap<string, PointColumns>> {
  return isDelayed ? await delayedTails(tails) : await readTails(db, tails)
}

type Options = Omit<Parameters<typeof createCurrentStatistics>[0], 'terrain'> & { now: () => number }

/** Builds what computes the figures of tracks, for phones, operators and spectators. */
export function openStatistics(options: Options) {
  const terrain = createTerrainUnderTracks(options.pool, options.logger)
  const deps = { ...options, terrain }
  const currentStatistics = createCurrentStatistics(deps)
  const hasCurrentFigures = createFiguresCheck(deps.maxAccuracyMeters, terrain)
  const delayedEnds = createDelayedEnds(deps)
  return {
    terrain,
    currentStatistics,
    hasCurrentFigures,
    eventHeights: createEventHeights(deps),
    delayedEnds,
    delayedReplay: createDelayedReplay(delayedEnds),
    delayedTails: createDelayedTails(deps),
    delayedTracks: createDelayedTracks(delayedEnds, createDelayedStatistics(deps), hasCurrentFigures),
    refreshStatistics: createRefreshStatistics(currentStatistics, hasCurrentFigures, deps.now),
    profiles: createProfiles(deps),
  }
}
