import type { SharedTrack } from '../../../src/tracks/api/operator-track-schemas.ts'
import type { LivePoints } from '../../../src/tracks/live/schemas.ts'
import type { RankingEntry } from '../../../src/tracks/race/schemas.ts'
import { closestLongitude } from '../../map/coordinates.ts'
import { heardMs, type Listed, namesOf, type RunnerNames, type RunnerStatus, statusOf } from './runners.ts'

export type Position = [longitude: number, latitude: number]

/** A track on the live map: its summary, and its line so far in parts between the gaps. */
export type LiveTrack<Track extends SharedTrack = SharedTrack> = {
  track: Track | undefined
  /** The line before the live line, where it is known. */
  pastParts: readonly Position[][]
  parts: Position[][]
  positions: number
  /** Start of its live line; the positions before it are not known here. */
  firstTimeMs: number | undefined
  lastTimeMs: number
  lastSpeedMps: number | null
  status: RunnerStatus
  /** Time when it was last heard of, by the server's clock; undefined before its summary is known. */
  heardMs: number | undefined
}

/**
 * Every track of a live map by its id, and the tracks that changed since they were last drawn. It is changed in place,
 * because a busy event has thousands of positions a second.
 */
export type LiveTracks<Track extends SharedTrack = SharedTrack> = {
  byId: Map<string, LiveTrack<Track>>
  /** Runners of the start list, by the ids of their tracks. */
  listed: Map<string, Listed>
  /** Tracks whose line, state or title has to be redrawn. */
  changed: Set<string>
  /** Tracks whose summary came since the connection was opened. */
  delivered: Set<string>
  /** Grows when the order of the tracks, or the text that finds them, may have changed. */
  listVersion: number
}

/** Positions of all lines together; a map with more takes too long to redraw every second. */
const MAX_POSITIONS_IN_ALL = 60_000
const MAX_POSITIONS_PER_TRACK = 2000
const MIN_POSITIONS_PER_TRACK = 16

/** Creates a live map without tracks. */
export function createLiveTracks<Track extends SharedTrack>(): LiveTracks<Track> {
  return { byId: new Map(), listed: new Map(), changed: new Set(), delivered: new Set(), listVersion: 0 }
}

/** Notes that a connection was opened: what comes next begins its snapshot. */
export function beginSnapshot(live: LiveTracks<SharedTrack>): void {
  live.delivered.clear()
}

/** Removes the tracks that a whole snapshot does not have: they were deleted, or are not shown any more. */
export function endWholeSnapshot(live: LiveTracks<SharedTrack>): void {
  for (const id of live.byId.keys()) if (!live.delivered.has(id)) applyDeletion(live, id)
}

/** Applies a track's summary as it came. */
export function applyTrack<Track extends SharedTrack>(live: LiveTracks<Track>, sent: Track): void {
  live.delivered.add(sent.id)
  showTrack(live, sent)
}

function showTrack<Track extends SharedTrack>(live: LiveTracks<Track>, sent: Track): void {
  const entry = entryOf(live, sent.id)
  const track: Track & Listed = { ...sent, ...live.listed.get(sent.id) }
  const before: (Track & Listed) | undefined = entry.track
  entry.track = track
  const isSameState = before?.state === track.state && before?.has_finished === track.has_finished
  // A silence shows with the next refresh.
  if (!isSameState) entry.status = statusOf(track, 0, 0, 0)
  if (before !== undefined && isSameState && isNamedAlike(before, track)) return
  live.changed.add(track.id)
  live.listVersion++
}

/**
 * Brings up to date which runners are silent at `nowMs`, by the server's clock. @returns true if any status has changed
 */
export function refreshStatuses(live: LiveTracks<SharedTrack>, nowMs: number, noSignalAfterSec: number): boolean {
  const before = live.listVersion
  for (const [id, entry] of live.byId) {
    if (entry.track === undefined) continue
    entry.heardMs = heardMs(entry.track, entry.lastTimeMs, nowMs)
    const status = statusOf(entry.track, entry.heardMs, nowMs, noSignalAfterSec)
    if (status === entry.status) continue
    entry.status = status
    live.changed.add(id)
    live.listVersion++
  }
  return live.listVersion !== before
}

type ListedEntry = Pick<RankingEntry, 'track_id' | 'bib' | 'name' | 'category' | 'state'>

/**
 * Applies what the start list and the race have of runners.
 * @param entries entries of the ranking
 * @param isRace true if there is a course to finish
 * @returns true if any runner is known there
 */
export function applyRanking(live: LiveTracks<SharedTrack>, entries: readonly ListedEntry[], isRace: boolean): boolean {
  const known = entries.filter(({ track_id, bib }) => track_id !== null && (bib !== null || isRace))
  for (const { track_id, bib, name, category, state } of known) {
    const names = bib === null ? {} : { bib, runner_name: name, category }
    live.listed.set(track_id!, { ...names, ...(isRace && { has_finished: state === 'finished' }) })
    const track = live.byId.get(track_id!)?.track
    if (track !== undefined) showTrack(live, track)
  }
  return known.length > 0
}

/** Removes a track. */
export function applyDeletion(live: LiveTracks<SharedTrack>, id: string): void {
  if (!live.byId.delete(id)) return
  live.changed.add(id)
  live.listVersion++
}

/**
 * Appends positions. Those that are not later than the last one were sent before, and are skipped. A line that grows
 * too long for the map loses every second position of its past.
 */
export function applyPoints(live: LiveTracks<SharedTrack>, points: LivePoints): void {
  const entry = entryOf(live, points.track_id)
  let isFirst = true
  for (let index = 0; index < points.time_ms.length; index++) {
    if (points.time_ms[index] <= entry.lastTimeMs) continue
    const before = headOf(entry)
    if (entry.parts.length === 0 || (isFirst && points.has_gap)) entry.parts.push([])
    isFirst = false
    const longitude = closestLongitude(points.longitude[index], before?.[0] ?? points.longitude[index])
    entry.parts[entry.parts.length - 1].push([longitude, points.latitude[index]])
    entry.positions++
    entry.firstTimeMs ??= points.time_ms[index]
    entry.lastTimeMs = points.time_ms[index]
    entry.lastSpeedMps = points.speed_mps[index]
  }
  if (isFirst) return
  live.changed.add(points.track_id)
  const max = maxPositions(live.byId.size)
  if (entry.positions > max) {
    entry.parts = decimateLine(entry.parts, max)
    entry.positions = entry.parts.reduce((sum, part) => sum + part.length, 0)
  }
}

/** Adds the line of a track before its live line. */
export function applyPastLine(live: LiveTracks<SharedTrack>, id: string, parts: readonly Position[][]): void {
  const entry = live.byId.get(id)
  if (entry === undefined) return
  entry.pastParts = parts
  live.changed.add(id)
}

/** Returns the current position of a track; undefined before its first one. */
export function headOf({ parts }: LiveTrack): Position | undefined {
  return parts.at(-1)?.at(-1)
}

function maxPositions(tracks: number): number {
  const share = Math.floor(MAX_POSITIONS_IN_ALL / tracks)
  return Math.min(MAX_POSITIONS_PER_TRACK, Math.max(MIN_POSITIONS_PER_TRACK, share))
}

function isNamedAlike(a: SharedTrack, b: SharedTrack): boolean {
  const [before, after] = [namesOf(a), namesOf(b)]
  return (Object.keys(before) as (keyof RunnerNames)[]).every((name) => before[name] === after[name])
}

function entryOf<Track extends SharedTrack>({ byId }: LiveTracks<Track>, id: string): LiveTrack<Track> {
  let entry = byId.get(id)
  if (entry === undefined) {
    entry = {
      track: undefined,
      pastParts: [],
      parts: [],
      positions: 0,
      firstTimeMs: undefined,
      lastTimeMs: Number.NEGATIVE_INFINITY,
      lastSpeedMps: null,
      status: 'running',
      heardMs: undefined,
    }
    byId.set(id, entry)
  }
  return entry
}

/** The newest positions stay as they are, because they are looked at most. */
const KEPT_AT_END = 8

/**
 * Reduces a line in parts to at most `max` positions. Every second position of each part goes, except its ends and the
 * newest ones, until the line is short enough. If parts of two positions are still too many, the oldest parts go.
 */
export function decimateLine<Position>(parts: readonly Position[][], max: number): Position[][] {
  let decimated = [...parts]
  for (let before = Number.POSITIVE_INFINITY; count(decimated) > max && count(decimated) < before; ) {
    before = count(decimated)
    decimated = decimated.map((part, index) => everySecond(part, index === decimated.length - 1 ? KEPT_AT_END : 1))
  }
  while (decimated.length > 1 && count(decimated) > max) decimated.shift()
  return decimated
}

function everySecond<Position>(part: readonly Position[], keptAtEnd: number): Position[] {
  return part.filter((_position, index) => index % 2 === 0 || index >= part.length - keptAtEnd)
}

function count(parts: readonly unknown[][]): number {
  return parts.reduce((sum, part) => sum + part.length, 0)
}
