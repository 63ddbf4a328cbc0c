import type { LivePoints } from '../../../src/tracks/schemas/live.ts'
import type { SharedTrack, TrackSummary } from '../../../src/tracks/schemas/track-summaries.ts'
import { besideLongitude } from '../../map/unwrap-longitudes.ts'
import { thinLine } from './decimate-line.ts'

export type Position = [longitude: number, latitude: number]

/** A track on the live map: what is known of it, and its line so far in parts between the gaps. */
export type LiveTrack<Track extends SharedTrack = SharedTrack> = {
  track: Track | undefined
  parts: Position[][]
  positions: number
  /** Where its live line begins; its way before that is not known here. */
  firstTimeMs: number | undefined
  lastTimeMs: number
  lastSpeedMps: number | null
}

/**
 * Every track of a live map by its id, and what has changed in it since that was last asked. It is changed in place: a
 * busy event has thousands of positions a second.
 */
export type LiveTracks<Track extends SharedTrack = SharedTrack> = {
  byId: Map<string, LiveTrack<Track>>
  /** Tracks whose line, state or title is to be drawn anew. */
  changed: Set<string>
  /** Moves when the order of the tracks or the words they are found by may have changed. */
  listVersion: number
}

/** Positions of all lines together; with more of them a map takes too long to be drawn anew every second. */
const ALL_POSITIONS = 60_000
const MOST_POSITIONS = 2000
const FEWEST_POSITIONS = 16

/** A live map with nothing on it. */
export function noLiveTracks<Track extends SharedTrack>(): LiveTracks<Track> {
  return { byId: new Map(), changed: new Set(), listVersion: 0 }
}

/** Takes in what a track is now. */
export function applyTrack<Track extends SharedTrack>(live: LiveTracks<Track>, track: Track): void {
  const entry = entryOf(live, track.id)
  const { track: before } = entry
  entry.track = track
  if (before?.title === track.title && before.state === track.state && userOf(before) === userOf(track)) return
  live.changed.add(track.id)
  live.listVersion++
}

/** Takes a track off. */
export function applyDeletion(live: LiveTracks<SharedTrack>, id: string): void {
  if (!live.byId.delete(id)) return
  live.changed.add(id)
  live.listVersion++
}

/**
 * Takes in further positions. Those not later than the last one were sent before, and are passed over. A line that
 * grows too long for the map loses every second position of its past.
 */
export function applyPoints(live: LiveTracks<SharedTrack>, points: LivePoints): void {
  const entry = entryOf(live, points.track_id)
  let isFirst = true
  for (let index = 0; index < points.time_ms.length; index++) {
    if (points.time_ms[index] <= entry.lastTimeMs) continue
    const before = headOf(entry)
    if (entry.parts.length === 0 || (isFirst && points.has_gap)) entry.parts.push([])
    isFirst = false
    const longitude = besideLongitude(points.longitude[index], before?.[0] ?? points.longitude[index])
    entry.parts[entry.parts.length - 1].push([longitude, points.latitude[index]])
    entry.positions++
    entry.firstTimeMs ??= points.time_ms[index]
    entry.lastTimeMs = points.time_ms[index]
    entry.lastSpeedMps = points.speed_mps[index]
  }
  if (isFirst) return
  live.changed.add(points.track_id)
  if (entry.positions > mostPositions(live.byId.size)) {
    entry.parts = thinLine(entry.parts, mostPositions(live.byId.size))
    entry.positions = entry.parts.reduce((sum, part) => sum + part.length, 0)
  }
}

/** Where a track is; undefined before its first position. */
export function headOf({ parts }: LiveTrack): Position | undefined {
  return parts.at(-1)?.at(-1)
}

function mostPositions(tracks: number): number {
  return Math.min(MOST_POSITIONS, Math.max(FEWEST_POSITIONS, Math.floor(ALL_POSITIONS / tracks)))
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
