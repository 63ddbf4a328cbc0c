import { setImmediate as letOthersRun } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { boundedCache } from '#platform/basics/bounded-cache.ts'
import type { SharedTrack } from '../api/operator-track-schemas.ts'
import { sharedTrack } from '../api/track-json.ts'
import { withRunnerNames } from '../model/runner-names.ts'
import type { TrackRow } from '../model/tables.ts'
import { wholeEvent } from '../model/track-rows.ts'
import { shownEndKey, shownPartOf } from '../model/track-state.ts'
import { type DelayedTails, readShownTails } from '../shares/delayed-tracks.ts'
import type { OpenShare, ShareDeps } from '../shares/open-share.ts'

/** Tracks in the HTML. The list of the script has all; a page with thousands would take long on a slow line. */
const MAX_SHOWN = 200
/** Time for which all spectators of an event get the same list: they come together, at the start of a race. */
const KEPT_MS = 3000
/** Tracks whose last points are read at once. A chunk of a finished track has thousands of points to decode. */
const TRACKS_PER_READ = 20
/** A trimmed track ends at its last point within this time before the trim. */
const TRIMMED_TAIL_MS = 30 * 60_000
/** Last positions kept in memory, by the number of points that a track had. */
const MAX_POSITIONS = 20_000
/** Lists kept in memory, one for each event or shared track. */
const MAX_LISTS = 200

export type Position = { latitude: number; longitude: number }
export type ShownTrack = { track: SharedTrack; position: Position | undefined }

/** The tracks of a share: those with the latest news, how many there are in all, and the time of this state. */
export type ShownTracks = { tracks: readonly ShownTrack[]; count: number; asOfMs: number }

/** Returns the tracks of a share. Spectators who come at about the same time share one reading. */
export type FindShownTracks = (share: OpenShare) => Promise<ShownTracks>

/** Creates the reader of the spectators' lists. */
export function createShownTracks(deps: ShareDeps): FindShownTracks {
  const positions = boundedCache<Position>(MAX_POSITIONS)
  const lists = new LRUCache<string, Promise<ShownTracks>>({ max: MAX_LISTS, ttl: KEPT_MS })

  return async (share) => {
    const key = `${share.track_id ?? share.event_id} ${share.shownUntilMs}`
    const kept = lists.get(key)
    if (kept !== undefined) return await kept
    const list = read(deps, positions, share)
    lists.set(key, list)
    // A failure is not kept.
    list.catch(() => lists.delete(key))
    return await list
  }
}

async function read(deps: ShareDeps, positions: LRUCache<string, Position>, share: OpenShare): Promise<ShownTracks> {
  const asOfMs = Math.min(deps.now(), share.shownUntilMs)
  const { rows: stored, count } = await findRows(deps, share)
  const isDelayed = Number.isFinite(share.shownUntilMs)
  if (!isDelayed) deps.refreshStatistics(stored)
  const rows = await deps.delayedTracks(stored, share.shownUntilMs)
  await readPositions((tails) => readShownTails(deps, isDelayed, tails), positions, rows)
  const tracks = rows.map((row) => ({ track: sharedTrack(row), position: positions.get(shownEndKey(row)) }))
  return { tracks, count, asOfMs }
}

async function findRows({ db, tracks, operatorTracks }: ShareDeps, share: OpenShare) {
  if (share.track_id !== null) {
    const row = await tracks.find(wholeEvent(share.event_id), share.track_id)
    return { rows: row === undefined ? [] : await withRunnerNames(db, [row]), count: 1 }
  }
  const isDelayed = Number.isFinite(share.shownUntilMs)
  const begun = isDelayed ? { toMs: share.shownUntilMs + 1 } : {}
  // In an event with a delay, the order of the latest changes would tell who goes on.
  const sort = isDelayed ? ('start' as const) : ('updated' as const)
  const newestFirst = { sort, descending: true, after: undefined, limit: MAX_SHOWN }
  const rows = await operatorTracks.search(share.event_id, begun, newestFirst)
  const count = rows.length < MAX_SHOWN ? rows.length : await operatorTracks.count(share.event_id, begun)
  return { rows, count }
}

/** Reads the last positions that are not known yet, some at a time. */
async function readPositions(readEnds: DelayedTails, known: LRUCache<string, Position>, rows: readonly TrackRow[]) {
  const unknown = rows.filter((row) => row.last_point_ms !== null && !known.has(shownEndKey(row)))
  for (let start = 0; start < unknown.length; start += TRACKS_PER_READ) {
    const some = unknown.slice(start, start + TRACKS_PER_READ)
    const ends = await readEnds(some.map((row) => ({ trackId: row.id, ...endToRead(row) })))
    for (const row of some) {
      const end = ends.get(row.id)
      if (end === undefined || end.count === 0) continue
      known.set(shownEndKey(row), { latitude: end.latitude[end.count - 1], longitude: end.longitude[end.count - 1] })
    }
    await letOthersRun()
  }
}

/** Returns where the last point is: at the time of the latest one, or in the last while of the shown part. */
function endToRead(row: TrackRow): { afterMs: number; untilMs: number } {
  const { fromMs, untilMs } = shownPartOf(row)
  const lastMs = row.last_point_ms!
  if (untilMs >= lastMs) return { afterMs: Math.max(lastMs, fromMs) - 1, untilMs: lastMs }
  return { afterMs: Math.max(untilMs - TRIMMED_TAIL_MS, fromMs - 1), untilMs }
}
