import type { LivePoints } from '../../../src/tracks/schemas/live.ts'
import type { SharedTrack, TrackSummary } from '../../../src/tracks/schemas/track-summaries.ts'
import { closestLongitude } from '../../map/unwrap-longitudes.ts'
import { decimateLine } from './decimate-line.ts'

export type Position = [longitude: number, latitude: number]

/** A track on the live map: its summary, and its line so far in parts between the gaps. */
export type LiveTrack<Track extends SharedTrack = SharedTrack> = {
  track: Track | undefined
  parts: Position[][]
  positions: number
  /** Start of its live line; the positions before it are not known here. */
  firstTimeMs: number | undefined
  lastTimeMs: number
  lastSpeedMps: number | null
}

/**
 * Every track of a live map by its id, and the tracks that changed since they were last drawn. It is changed in place,
 * because a busy event has thousands of positions a second.
 */
export type LiveTracks<Track extends SharedTrack = SharedTrack> = {
  byId: Map<string, LiveTrack<Track>>
  /** Tracks whose line, state or title has to be redrawn. */
  changed: Set<string>
  /** Grows when the order of the tracks, or the text that finds them, may have changed. */
  listVersion: number
}

/** Positions of all lines together; a map with more takes too long to redraw every second. */
const MAX_POSITIONS_IN_ALL = 60_000
const MAX_POSITIONS_PER_TRACK = 2000
const MIN_POSITIONS_PER_TRACK = 16

/** Creates a live map without tracks. */
export function createLiveTracks<Track extends SharedTrack>(): LiveTracks<Track> {
  return { byId: new Map(), changed: new Set(), listVersion: 0 }
}

/** Applies a track's current summary. */
export function applyTrack<Track extends SharedTrack>(live: LiveTracks<Track>, track: Track): void {
  const entry = entryOf(live, track.id)
  const { track: before } = entry
  entry.track = track
  if (before?.title === track.title && before.state === track.state && userOf(before) === userOf(track)) return
  live.changed.add(track.id)
  live.listVersion++
}

/** Removes a track. */
export function applyDeletion(live: LiveTracks<SharedTrack>, id: string): void {
  if (!live.byId.delete(id)) return
  live.changed.add(id)
  live.listVersion++
}

/**
 * Appends positions. Those that are not later than the last one were sent before, and are skipped. A line that grows too
 * long for the map loses every second position of its past.
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

/** Returns the current position of a track; undefined before its first one. */
export function headOf({ parts }: LiveTrack): Position | undefined {
  return parts.at(-1)?.at(-1)
}

function maxPositions(tracks: number): number {
  const share = Math.floor(MAX_POSITIONS_IN_ALL / tracks)
  return Math.min(MAX_POSITIONS_PER_TRACK, Math.max(MIN_POSITIONS_PER_TRACK, share))
}

function userOf(track: SharedTrack): string | null | undefined {
  const { user_id }: Partial<TrackSummary> = track
  return user_id
}

function entryOf<Track extends SharedTrack>({ byId }: LiveTracks<Track>, id: string): LiveTrack<Track> {
  let entry = byId.get(id)
  if (entry === undefined) {
    entry = {
      track: undefined,
      parts: [],
      positions: 0,
      firstTimeMs: undefined,
      lastTimeMs: Number.NEGATIVE_INFINITY,
      lastSpeedMps: null,
    }
    byId.set(id, entry)
  }
  return entry
}
