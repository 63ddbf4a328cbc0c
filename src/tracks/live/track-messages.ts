import type { Kysely } from 'kysely'
import { boundedCache } from '#platform/basics/bounded-cache.ts'
import type { TrackRow, TracksTables } from '../model/tables.ts'
import { shownEndKey, shownPartOf } from '../model/track-state.ts'
import { lastBatteryPercent, type PointColumns } from '../points/point-columns.ts'
import { type FoundTrack, findDeleted, readTracks, type TailQuery } from '../points/storage/track-changes.ts'
import { type DelayedTails, type DelayedTracks, goesOnAfter, readShownTails } from '../shares/delayed-tracks.ts'
import type { HasCurrentFigures } from '../statistics/current-statistics.ts'
import type { LivePoints } from './schemas.ts'
import type { LiveMessage } from './viewer.ts'

/** Tracks that are read at once. */
const TRACKS_PER_READ = 100
/** Longest end of a track that is sent. Viewers that need earlier positions read the series. */
const TAIL_MS = 30 * 60_000
/** The same for a track of the past: its last position. */
const PAST_TAIL_MS = 1
const BEFORE_ALL = Number.MIN_SAFE_INTEGER

/** The state of a track that was sent. */
type SentTrack = {
  /** Its latest change. */
  updatedAt: number
  /** Time of the latest position that was sent. */
  lastPointMs: number | null
  batteryPercent: number | null
  /** Set while there will be news without a change: figures that are being computed, or points that are held back. */
  awaits?: 'figures' | 'time'
  /**
   * The row that was sent: while it may be read again, and always with a delay. None of a track that is not shown yet.
   */
  look?: string
}

/** Everything that messages about tracks are made from. */
export type MessageSource = {
  db: Kysely<TracksTables>
  pastEnds: PastEnds
  delayedTracks: DelayedTracks
  delayedTails: DelayedTails
  hasCurrentFigures: HasCurrentFigures
}

/** The states of the tracks that viewers were sent, by their ids. */
export type SentTracks = Map<string, SentTrack>

/** Tracks to send. Nothing later than `untilMs` is sent; Infinity for operators and where there is no delay. */
export type TracksToSend = {
  tracks: readonly FoundTrack[]
  untilMs: number
  /** Number of tracks among them that do not belong to the past, as far as they are known already. */
  activeCount: number
  /** Tells whether a track, as it is shown, belongs to the past. */
  isPast: (row: TrackRow) => boolean
}

/** Messages, and the rows that were read for them, as they are stored. */
type Batch = { messages: LiveMessage[]; rows: readonly TrackRow[] }

/** Returns tracks that are sent because of news. None of them belongs to the past. */
export function newsOf(tracks: readonly FoundTrack[], untilMs: number): TracksToSend {
  return { tracks, untilMs, activeCount: tracks.length, isPast: () => false }
}

/**
 * Makes the messages for tracks, some tracks at a time. `sent` holds the earlier messages. It is updated only once all
 * messages of a batch are made, so that a failure marks nothing as sent that was not. A track that was waited for and
 * looks as before makes no message. With a delay that holds for all tracks: their rows are read because something has
 * come for them, and spectators may not learn that.
 */
export async function* trackMessages(
  deps: MessageSource,
  { tracks, untilMs, activeCount, isPast }: TracksToSend,
  sent: SentTracks,
): AsyncGenerator<Batch> {
  const isDelayed = Number.isFinite(untilMs)
  const maxPositions = positionsPerTrack(activeCount)
  for (let start = 0; start < tracks.length; start += TRACKS_PER_READ) {
    const ids = tracks.slice(start, start + TRACKS_PER_READ).map(({ id }) => id)
    const stored = await readTracks(deps.db, ids)
    // The order of the latest changes would tell who goes on.
    if (isDelayed) stored.sort((a, b) => a.start_ms - b.start_ms || (a.id < b.id ? -1 : 1))
    const shown = new Map((await deps.delayedTracks(stored, untilMs)).map((row) => [row.id, row]))
    const ends = await readEnds(deps, [...shown.values()], { isDelayed, isPast, sent, maxPositions })
    const states: SentTracks = new Map()
    const messages = stored.flatMap((row): LiveMessage[] => {
      const visible = shown.get(row.id)
      const before = sent.get(row.id)
      const { points, batteryPercent = before?.batteryPercent ?? null } = ends.get(row.id) ?? {}
      const awaits = awaitedOf(deps, { row, visible, untilMs })
      const look = visible && (isDelayed || awaits) ? JSON.stringify(visible) : undefined
      const lastPointMs = points?.time_ms.at(-1) ?? before?.lastPointMs ?? null
      states.set(row.id, { updatedAt: row.updated_at, lastPointMs, batteryPercent, awaits, look })
      const isSame = points === undefined && look !== undefined && look === before?.look
      if (visible === undefined || isSame) return []
      const track: LiveMessage = { event: 'track', row: visible, batteryPercent }
      return points === undefined ? [track] : [track, { event: 'points', points }]
    })
    for (const [id, state] of states) sent.set(id, state)
    yield { messages, rows: stored }
  }
}

type ToAwait = { row: TrackRow; visible: TrackRow | undefined; untilMs: number }

/** Returns the part of a track that will show without another change: later positions, or pending figures. */
function awaitedOf(
  { hasCurrentFigures }: MessageSource,
  { row, visible = row, untilMs }: ToAwait,
): SentTrack['awaits'] {
  if (goesOnAfter(row, untilMs)) return 'time'
  // Nothing is computed for spectators before the first point.
  if (Number.isFinite(untilMs) && visible.point_count === 0) return undefined
  return hasCurrentFigures(visible) ? undefined : 'figures'
}

type EndsToRead = {
  isDelayed: boolean
  isPast: (row: TrackRow) => boolean
  sent: ReadonlyMap<string, SentTrack>
  maxPositions: number
}

/** Returns the positions of tracks that were not sent before, as far back as messages go. */
async function readEnds(
  source: MessageSource,
  rows: readonly TrackRow[],
  { isDelayed, isPast, sent, maxPositions }: EndsToRead,
): Promise<Map<string, TrackEnd>> {
  const ends = new Map<string, TrackEnd>()
  const tails = rows.flatMap((row) => {
    const ofPast = isPast(row)
    const known = ofPast ? source.pastEnds.find(row) : undefined
    if (known !== undefined) ends.set(row.id, known)
    const tail = known === undefined ? tailOf(row, sent.get(row.id)?.lastPointMs ?? BEFORE_ALL, ofPast) : undefined
    return tail === undefined ? [] : [{ ...tail, row, ofPast }]
  })
  const found = await readShownTails(source, isDelayed, tails)
  for (const { row, ofPast, isCut } of tails) {
    const tail = found.get(row.id)
    if (tail === undefined || tail.count === 0) continue
    const hasGap = isCut && tail.count < row.point_count
    const points = livePoints(row.id, tail, ofPast ? 1 : maxPositions, hasGap)
    const end = { points, batteryPercent: lastBatteryPercent(tail) }
    ends.set(row.id, end)
    if (ofPast) source.pastEnds.keep(row, end)
  }
  return ends
}

/** Returns where to read the shown part of a track that was sent until a time; undefined if nothing is left to send. */
function tailOf(row: TrackRow, sentMs: number, isPast: boolean): (TailQuery & { isCut: boolean }) | undefined {
  const { fromMs, untilMs } = shownPartOf(row)
  const endMs = Math.min(row.last_point_ms ?? BEFORE_ALL, untilMs)
  if (endMs <= sentMs) return undefined
  const tailMs = isPast && row.last_point_ms === endMs ? PAST_TAIL_MS : TAIL_MS
  const afterMs = Math.max(sentMs, endMs - tailMs, fromMs - 1)
  return { trackId: row.id, afterMs, untilMs: endMs, isCut: afterMs > sentMs }
}

type Deletion = Extract<LiveMessage, { event: 'track-deleted' }>

/** Makes the messages for deleted tracks. */
export async function deletionMessages(
  db: Kysely<TracksTables>,
  eventId: string,
  sinceMs: number,
): Promise<Deletion[]> {
  const rows = await findDeleted(db, eventId, sinceMs)
  return rows.map(({ track_id }) => ({ event: 'track-deleted' as const, id: track_id }))
}

/** Returns the deletions that viewers with a delay may learn of: the others concern tracks that they never saw. */
export function deletionsOfSeen(deletions: Deletion[], sent: SentTracks, delaySec: number): Deletion[] {
  return delaySec > 0 ? deletions.filter(({ id }) => sent.get(id)?.look !== undefined) : deletions
}

/** Most positions in one message: a line on a map shows no more of a few minutes. */
const MAX_POSITIONS = 200
/** Most positions of all tracks together, except that each track gets the few that make a line. */
const MAX_TOTAL_POSITIONS = 10_000
const MIN_POSITIONS = 16

/** Returns how many positions each track gets when so many tracks are sent at once. */
function positionsPerTrack(tracks: number): number {
  return Math.min(MAX_POSITIONS, Math.max(MIN_POSITIONS, Math.floor(MAX_TOTAL_POSITIONS / tracks)))
}

/** Reduces the end of a track evenly to `maxPositions` positions. The last position is always kept. */
function livePoints(trackId: string, points: PointColumns, maxPositions: number, hasGap: boolean): LivePoints {
  const shown = Math.min(points.count, maxPositions)
  const indexes = Array.from({ length: shown }, (_, i) => Math.ceil(((i + 1) * points.count) / shown) - 1)
  const known = (column: Float64Array) => indexes.map((i) => (Number.isNaN(column[i]) ? null : column[i]))
  return {
    track_id: trackId,
    has_gap: hasGap,
    time_ms: indexes.map((i) => points.timeMs[i]),
    latitude: indexes.map((i) => points.latitude[i]),
    longitude: indexes.map((i) => points.longitude[i]),
    altitude: known(points.altitude),
    speed_mps: known(points.speedMps),
  }
}

/** The last positions of a track, and the latest charge of its phone if they tell it. */
type TrackEnd = { points: LivePoints; batteryPercent: number | undefined }

/**
 * The ends of tracks of the past, kept in memory: reading one decodes thousands of points, and every new viewer of an
 * event gets them all.
 */
type PastEnds = ReturnType<typeof createPastEnds>

/** Ends of the largest snapshots of two events; some 5 MB. */
const MAX_KEPT = 10_000

/** Creates the memory of one instance. */
export function createPastEnds() {
  const kept = boundedCache<TrackEnd>(MAX_KEPT)
  return {
    find: (row: TrackRow): TrackEnd | undefined => kept.get(shownEndKey(row)),
    keep: (row: TrackRow, end: TrackEnd): void => void kept.set(shownEndKey(row), end),
  }
}
