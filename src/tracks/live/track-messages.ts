import type { Kysely } from 'kysely'
import type { HasCurrentFigures } from '../computing/current-figures.ts'
import type { DelayedTails } from '../computing/delay/delayed-tails.ts'
import { type DelayedTracks, goesOnAfter } from '../computing/delay/delayed-tracks.ts'
import { shownPartOf } from '../domain/shown-part.ts'
import type { TrackRow, TracksTables } from '../storage/tables.ts'
import { type FoundTrack, findDeleted, readTails, readTracks, type TailQuery } from '../storage/track-changes.ts'
import { lastBatteryPercent, livePoints, positionsPerTrack } from './live-points.ts'
import type { PastEnds, TrackEnd } from './past-ends.ts'
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

type Deps = {
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

/** Returns tracks that are sent because of what is new. None of them belongs to the past. */
export function newsOf(tracks: readonly FoundTrack[], untilMs: number): TracksToSend {
  return { tracks, untilMs, activeCount: tracks.length, isPast: () => false }
}

/**
 * Makes the messages for tracks, some tracks at a time. `sent` holds what was sent before. It is updated only once all
 * messages of a batch are made, so that a failure marks nothing as sent that was not. A track that was waited for and
 * looks as before makes no message. With a delay that holds for all tracks: their rows are read because something has
 * come for them, and spectators may not learn that.
 */
export async function* trackMessages(
  deps: Deps,
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

/** Returns what a track will show without another change: what is later, or figures that are being computed. */
function awaitedOf({ hasCurrentFigures }: Deps, { row, visible = row, untilMs }: ToAwait): SentTrack['awaits'] {
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
  { db, pastEnds, delayedTails }: Deps,
  rows: readonly TrackRow[],
  { isDelayed, isPast, sent, maxPositions }: EndsToRead,
): Promise<Map<string, TrackEnd>> {
  const ends = new Map<string, TrackEnd>()
  const tails = rows.flatMap((row) => {
    const ofPast = isPast(row)
    const known = ofPast ? pastEnds.find(row) : undefined
    if (known !== undefined) ends.set(row.id, known)
    const tail = known === undefined ? tailOf(row, sent.get(row.id)?.lastPointMs ?? BEFORE_ALL, ofPast) : undefined
    return tail === undefined ? [] : [{ ...tail, row, ofPast }]
  })
  const found = isDelayed ? await delayedTails(tails) : await readTails(db, tails)
  for (const { row, ofPast, isCut } of tails) {
    const tail = found.get(row.id)
    if (tail === undefined || tail.count === 0) continue
    const hasGap = isCut && tail.count < row.point_count
    const points = livePoints(row.id, tail, ofPast ? 1 : maxPositions, hasGap)
    const end = { points, batteryPercent: lastBatteryPercent(tail) }
    ends.set(row.id, end)
    if (ofPast) pastEnds.keep(row, end)
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

/** Returns those of the deletions that viewers with a delay may learn of: the others are of tracks they never saw. */
export function deletionsOfSeen(deletions: Deletion[], sent: SentTracks, delaySec: number): Deletion[] {
  return delaySec > 0 ? deletions.filter(({ id }) => sent.get(id)?.look !== undefined) : deletions
}
