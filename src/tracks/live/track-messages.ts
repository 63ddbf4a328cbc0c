import type { Kysely } from 'kysely'
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
export type SentTrack = {
  /** Its latest change. */
  updatedAt: number
  /** Time of the latest position that was sent. */
  lastPointMs: number | null
  batteryPercent: number | null
  /** Set while there will be news without a change: figures that are being computed, or points that are held back. */
  awaits?: 'figures' | 'time'
  /** The row that was sent, while it may be read again. */
  look?: string
}

type Deps = { db: Kysely<TracksTables>; pastEnds: PastEnds; delayedTracks: DelayedTracks }

/** The states of the tracks that viewers were sent, by their ids. */
export type SentTracks = Map<string, SentTrack>

/**
 * Tracks to send, of which nothing later than `untilMs` is sent; Infinity for operators and where there is no delay.
 */
type TracksToSend = { tracks: readonly FoundTrack[]; untilMs: number }

/** Messages, and the rows that were read for them, as they are stored. */
type Batch = { messages: LiveMessage[]; rows: readonly TrackRow[] }

/**
 * Makes the messages for tracks, some tracks at a time. `sent` holds what was sent before. It is updated only once all
 * messages of a batch are made, so that a failure marks nothing as sent that was not. A track that was waited
 * for and looks as before makes no message.
 */
export async function* trackMessages(
  deps: Deps,
  { tracks, untilMs }: TracksToSend,
  sent: SentTracks,
): AsyncGenerator<Batch> {
  const past = new Set(tracks.flatMap(({ id, isPast }) => (isPast ? [id] : [])))
  const maxPositions = positionsPerTrack(tracks.length - past.size)
  for (let start = 0; start < tracks.length; start += TRACKS_PER_READ) {
    const ids = tracks.slice(start, start + TRACKS_PER_READ).map(({ id }) => id)
    const stored = await readTracks(deps.db, ids)
    const shown = new Map((await deps.delayedTracks(stored, untilMs)).map((row) => [row.id, row]))
    const ends = await readEnds(deps, [...shown.values()], { past, sent, maxPositions })
    const states: SentTracks = new Map()
    const messages = stored.flatMap((row): LiveMessage[] => {
      const visible = shown.get(row.id)
      const before = sent.get(row.id)
      const { points, batteryPercent = before?.batteryPercent ?? null } = ends.get(row.id) ?? {}
      const awaits = awaitedOf(row, untilMs)
      const look = awaits && JSON.stringify(visible)
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

/** Returns what a track will show without another change: what is later, or figures that are being computed. */
function awaitedOf(row: TrackRow, untilMs: number): SentTrack['awaits'] {
  if (goesOnAfter(row, untilMs)) return 'time'
  return row.computed_revision === row.revision ? undefined : 'figures'
}

type EndsToRead = { past: ReadonlySet<string>; sent: ReadonlyMap<string, SentTrack>; maxPositions: number }

/** Returns the positions of tracks that were not sent before, as far back as messages go. */
async function readEnds(
  { db, pastEnds }: Deps,
  rows: readonly TrackRow[],
  { past, sent, maxPositions }: EndsToRead,
): Promise<Map<string, TrackEnd>> {
  const ends = new Map<string, TrackEnd>()
  const tails = rows.flatMap((row) => {
    const isPast = past.has(row.id)
    const known = isPast ? pastEnds.find(row) : undefined
    if (known !== undefined) ends.set(row.id, known)
    const tail = known === undefined ? tailOf(row, sent.get(row.id)?.lastPointMs ?? BEFORE_ALL, isPast) : undefined
    return tail === undefined ? [] : [{ ...tail, row, isPast }]
  })
  const found = await readTails(db, tails)
  for (const { row, isPast, isCut } of tails) {
    const tail = found.get(row.id)
    if (tail === undefined || tail.count === 0) continue
    const hasGap = isCut && tail.count < row.point_count
    const points = livePoints(row.id, tail, isPast ? 1 : maxPositions, hasGap)
    const end = { points, batteryPercent: lastBatteryPercent(tail) }
    ends.set(row.id, end)
    if (isPast) pastEnds.keep(row, end)
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

/** Makes the messages for deleted tracks. */
export async function deletionMessages(db: Kysely<TracksTables>, eventId: string, sinceMs: number) {
  const rows = await findDeleted(db, eventId, sinceMs)
  return rows.map(({ track_id }) => ({ event: 'track-deleted' as const, id: track_id }))
}
