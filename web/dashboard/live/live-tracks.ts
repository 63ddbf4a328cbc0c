import { testOfTiles } from '../../../clients/typescript/src/live/frame-tiles.ts'
import type { Frame, FrameTrack, Tile } from '../../../clients/typescript/src/live/frames.ts'
import type { SharedTrack } from '../../../src/tracks/api/operator-track-schemas.ts'
import type { RankingEntry } from '../../../src/tracks/race/result-schemas.ts'
import { markRunners } from '../../../src/tracks/race/runner-state.ts'
import {
  addPastLine,
  addPosition,
  type GrownLine,
  newLine,
  type PastLine,
  positionsOf,
  thinLine,
} from './grown-line.ts'
import {
  heardMs,
  type Listed,
  namesOf,
  type RaceFacts,
  type RunnerNames,
  type RunnerStatus,
  statusOf,
} from './runners.ts'

export type Position = [longitude: number, latitude: number]

/** A track on the live map: its summary, and its line so far. */
export type LiveTrack<Track extends SharedTrack = SharedTrack> = {
  track: Track | undefined
  /** The track as of the latest frame that has it. */
  shown: FrameTrack
  /** Its positions, at the times at which they were shown. */
  line: GrownLine
  lastTimeMs: number
  status: RunnerStatus
  /** Time when it was last heard of, by the server's clock; undefined before its summary is known. */
  heardMs: number | undefined
  /** Time of its latest change by the server's clock; undefined if it has not changed since the first frame. */
  changedMs: number | undefined
}

/**
 * Every track of a live map by its id. It is changed in place, because a busy event has hundreds of positions a second.
 */
export type LiveTracks<Track extends SharedTrack = SharedTrack> = {
  byId: Map<string, LiveTrack<Track>>
  /** Entries of the list of tracks. Tracks that no frame has yet are among them. */
  summaries: Map<string, Track>
  /** Runners of the start list, by the ids of their tracks. */
  listed: Map<string, Listed>
  /** Tracks whose summary is unknown, or outdated because details or the state have changed. */
  outdated: Set<string>
  /** Grows when the order of the tracks, or the text that finds them, may have changed. */
  listVersion: number
  /** Time of the first and of the latest frame, in seconds since 1970; NaN before the first. */
  fromSec: number
  untilSec: number
  /** Time at which the latest movement ends. Nothing moves after it. */
  movedUntilSec: number
  /** The tiles that the latest frame had, and the time of the latest frame of the whole event. */
  tiles: readonly Tile[] | undefined
  wholeSec: number
}

/** Positions of all lines together: some megabytes. */
const MAX_POSITIONS_IN_ALL = 200_000
const MAX_POSITIONS_PER_TRACK = 2000
const MIN_POSITIONS_PER_TRACK = 16
/** The way of a runner who was not heard of for longer is unknown. */
const GAP_MS = 120_000

/** Creates a live map without tracks. */
export function createLiveTracks<Track extends SharedTrack>(): LiveTracks<Track> {
  return {
    byId: new Map(),
    summaries: new Map(),
    listed: new Map(),
    outdated: new Set(),
    listVersion: 0,
    fromSec: Number.NaN,
    untilSec: Number.NaN,
    movedUntilSec: Number.NEGATIVE_INFINITY,
    tiles: undefined,
    wholeSec: Number.NaN,
  }
}

/** Tracks that are changed without a break: a millisecond on a computer, and some on a phone. */
const TRACKS_AT_ONCE = 200

/**
 * Applies a frame, with a break at each yield. One with all tracks removes all others: they were deleted, or are not
 * shown any more. After it, positions of the time since the frame before are missing.
 * @param moveSec time for which a runner moves to a new position, which ends when the frame is due
 */
export function* applyFrame(live: LiveTracks<SharedTrack>, frame: Frame, moveSec: number): Generator<void, void> {
  const atSec = frame.asOfMs / 1000 - frame.delaySec
  const isFirst = Number.isNaN(live.untilSec)
  if (isFirst) live.fromSec = atSec
  live.untilSec = atSec
  live.tiles = frame.tiles
  if (frame.tiles === undefined) live.wholeSec = atSec
  for (const [i, track] of frame.changed.entries()) {
    if (i % TRACKS_AT_ONCE === TRACKS_AT_ONCE - 1) yield
    applyShown(live, track, { atSec, moveSec, frame, isFirst })
  }
  if (!frame.isWhole || frame.tiles !== undefined) return
  const shown = new Set(frame.changed.map(({ id }) => id))
  for (const id of live.byId.keys()) if (!shown.has(id)) removeTrack(live, id)
}

type Shown = { atSec: number; moveSec: number; frame: Frame; isFirst: boolean }

function applyShown(live: LiveTracks<SharedTrack>, track: FrameTrack, { atSec, moveSec, frame, isFirst }: Shown): void {
  const before = live.byId.get(track.id)
  const entry = before ?? newEntry(live, track)
  const isOther = before === undefined || !isAlike(before.shown, track)
  if (isOther && !isFirst) entry.changedMs = frame.asOfMs
  const { shown } = entry
  if (shown.rank !== track.rank) live.listVersion++
  if (before === undefined || shown.details !== track.details || shown.state !== track.state)
    live.outdated.add(track.id)
  entry.shown = track
  const hasMoved = track.timeMs !== null && track.timeMs !== entry.lastTimeMs
  if (hasMoved) {
    const isGap = frame.isWhole || track.timeMs! - entry.lastTimeMs > GAP_MS
    entry.lastTimeMs = track.timeMs!
    addPosition(entry.line, { sec: atSec, moveSec, isGap, longitude: track.longitude!, latitude: track.latitude! })
    thinLine(entry.line, maxPositions(live.byId.size))
    live.movedUntilSec = atSec
  }
  if (isOther) showTrack(live, entry)
}

function newEntry<Track extends SharedTrack>(live: LiveTracks<Track>, shown: FrameTrack): LiveTrack<Track> {
  const entry: LiveTrack<Track> = {
    track: undefined,
    shown,
    line: newLine(),
    lastTimeMs: Number.NEGATIVE_INFINITY,
    status: shown.state,
    heardMs: undefined,
    changedMs: undefined,
  }
  live.byId.set(shown.id, entry)
  live.listVersion++
  return entry
}

function isAlike(a: FrameTrack, b: FrameTrack): boolean {
  return a.timeMs === b.timeMs && a.state === b.state && a.details === b.details && a.battery === b.battery
}

/** Applies the entry of a track in the list. */
export function applySummary<Track extends SharedTrack>(live: LiveTracks<Track>, sent: Track): void {
  live.summaries.set(sent.id, sent)
  const entry = live.byId.get(sent.id)
  if (entry === undefined) return
  live.outdated.delete(sent.id)
  showTrack(live, entry)
}

/** Brings a shown track up to date: its summary, the start list, and above both the frames. */
function showTrack<Track extends SharedTrack>(live: LiveTracks<Track>, entry: LiveTrack<Track>): void {
  const { shown, changedMs } = entry
  const summary = live.summaries.get(shown.id)
  if (summary === undefined) return
  const before: (Track & Listed) | undefined = entry.track
  const track: Track & Listed & { battery_percent: number | null } = {
    ...summary,
    ...live.listed.get(shown.id),
    state: shown.state,
    last_point_at: shown.timeMs === null ? null : new Date(shown.timeMs).toISOString(),
    points_count: shown.timeMs === null ? 0 : Math.max(1, summary.points_count),
    updated_at: changedMs === undefined ? summary.updated_at : new Date(changedMs).toISOString(),
    battery_percent: shown.battery,
  }
  entry.track = track
  const isSameState = before?.state === track.state && isAlikeInRace(before?.race, track.race)
  // A silence shows with the next refresh, and so does one who is astray.
  if (!isSameState) entry.status = statusOf(track, 0, 0, 0)
  if (before === undefined || !isSameState || !isNamedAlike(before, track)) live.listVersion++
}

/**
 * Brings up to date which runners are silent at `nowMs`, by the server's clock. @returns true if any status has changed
 */
export function refreshStatuses(live: LiveTracks<SharedTrack>, nowMs: number, noSignalAfterSec: number): boolean {
  const before = live.listVersion
  const isRead = live.tiles === undefined ? () => true : testOfTiles(live.tiles)
  for (const entry of live.byId.values()) {
    if (entry.track === undefined) continue
    // Nobody is silent because the page has not asked.
    const knownMs = isRead(entry.shown) ? nowMs : live.wholeSec * 1000
    entry.heardMs = heardMs(entry.track, entry.lastTimeMs, knownMs)
    const status = statusOf(entry.track, entry.heardMs, knownMs, noSignalAfterSec)
    if (status === entry.status) continue
    entry.status = status
    live.listVersion++
  }
  return live.listVersion !== before
}

type ListedEntry = Omit<RaceFacts, 'isRunner'> & Pick<RankingEntry, 'track_id' | 'bib' | 'name' | 'category'>

/**
 * Applies what the start list and the race have of runners.
 * @param entries entries of the ranking
 * @param isRace true if there is a course to finish
 * @returns true if any runner is known there
 */
export function applyRanking(live: LiveTracks<SharedTrack>, entries: readonly ListedEntry[], isRace: boolean): boolean {
  const known = raceFactsOf(entries, isRace)
  for (const [id, listed] of known) {
    live.listed.set(id, listed)
    const entry = live.byId.get(id)
    if (entry !== undefined) showTrack(live, entry)
  }
  return known.size > 0
}

/** Returns the facts that the start list and the race have of runners, by their tracks. */
export function raceFactsOf(entries: readonly ListedEntry[], isRace: boolean): Map<string, Listed> {
  const facts = new Map<string, Listed>()
  for (const { track_id, bib, name, category, ...race } of markRunners(entries)) {
    if (track_id === null || (bib === null && !isRace)) continue
    const names = bib === null ? {} : { bib, runner_name: name, category }
    facts.set(track_id, { ...names, ...(isRace && { race }) })
  }
  return facts
}

function removeTrack(live: LiveTracks<SharedTrack>, id: string): void {
  live.byId.delete(id)
  live.summaries.delete(id)
  live.outdated.delete(id)
  live.listVersion++
}

/** Adds the line of a track from before its first frame. */
export function applyPastLine(live: LiveTracks<SharedTrack>, id: string, past: PastLine): void {
  const entry = live.byId.get(id)
  if (entry === undefined) return
  addPastLine(entry.line, past)
  if (past.timeMs.length > 0) live.fromSec = Math.min(live.fromSec, past.timeMs[0] / 1000)
}

/** Time after the last end from which an event without a track in progress is over. */
export const OVER_AFTER_MS = 6 * 3_600_000

/** Returns when the last of all tracks ended; infinity while any is in progress, and without any. */
export function lastEndMs({ byId }: LiveTracks<SharedTrack>): number {
  let endMs = Number.NEGATIVE_INFINITY
  for (const { track } of byId.values()) {
    if (track === undefined) continue
    if (track.state !== 'stopped') return Number.POSITIVE_INFINITY
    endMs = Math.max(endMs, Date.parse(track.end_ts ?? track.last_point_at ?? track.start_ts))
  }
  return Number.isFinite(endMs) ? endMs : Number.POSITIVE_INFINITY
}

/** Returns the current position of a track; undefined before its first one. */
export function headOf({ shown: { longitude, latitude } }: LiveTrack): Position | undefined {
  return longitude === null || latitude === null ? undefined : [longitude, latitude]
}

function maxPositions(tracks: number): number {
  const share = Math.floor(MAX_POSITIONS_IN_ALL / tracks)
  return Math.min(MAX_POSITIONS_PER_TRACK, Math.max(MIN_POSITIONS_PER_TRACK, share))
}

function isAlikeInRace(a: RaceFacts | undefined, b: RaceFacts | undefined): boolean {
  return a?.state === b?.state && a?.status === b?.status
}

function isNamedAlike(a: SharedTrack, b: SharedTrack): boolean {
  const [before, after] = [namesOf(a), namesOf(b)]
  return (Object.keys(before) as (keyof RunnerNames)[]).every((name) => before[name] === after[name])
}

/** Returns all positions on a live map. */
export function* allPositions({ byId }: LiveTracks<SharedTrack>): Generator<Position> {
  for (const { line } of byId.values()) yield* positionsOf(line)
}

/** A phone that is farther from the course than this, in degrees, is not there: about 5 km. */
const NEAR_DEGREES = 0.05

/**
 * Returns the first view of a live map: the course with everyone who is on it, if anybody is there, and else everyone.
 * A finisher may have gone home with the phone still recording.
 * @param way places of the course; none without one
 */
export function firstViewOf(live: LiveTracks<SharedTrack>, way: readonly Readonly<Position>[]): Readonly<Position>[] {
  const positions = [...allPositions(live)]
  if (way.length === 0 || !isAnyNear(way, positions)) return positions
  const [west, south] = way.reduce(([x, y], [longitude, latitude]) => [Math.min(x, longitude), Math.min(y, latitude)])
  const [east, north] = way.reduce(([x, y], [longitude, latitude]) => [Math.max(x, longitude), Math.max(y, latitude)])
  const isWithin = (at: number, from: number, to: number) => at > from - NEAR_DEGREES && at < to + NEAR_DEGREES
  const onTheWay = [...live.byId.values()].filter(({ status }) => status !== 'stopped' && status !== 'ended')
  const heads = onTheWay.flatMap((entry) => {
    const head = headOf(entry)
    return head !== undefined && isWithin(head[0], west, east) && isWithin(head[1], south, north) ? [head] : []
  })
  return [...heads, ...way]
}

function isAnyNear(way: readonly Readonly<Position>[], positions: readonly Position[]): boolean {
  const [start] = way
  const [first] = positions
  const isNear = ([longitude, latitude]: Position, [atLongitude, atLatitude]: Readonly<Position>) =>
    Math.abs(longitude - atLongitude) < NEAR_DEGREES && Math.abs(latitude - atLatitude) < NEAR_DEGREES
  // Most are at the start in the beginning; a course of thousands of positions is searched no further than needed.
  return (
    positions.some((one) => isNear(one, start)) || (first !== undefined && way.some((place) => isNear(first, place)))
  )
}
