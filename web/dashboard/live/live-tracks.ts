import type { LivePoints, SharedTrack } from '../../../src/tracks/operator-schemas.ts'

/** A track on the live map: what is known of it, and its line so far in parts between the gaps. */
export type LiveTrack<Track extends SharedTrack = SharedTrack> = {
  track: Track | undefined
  parts: [number, number][][]
  lastTimeMs: number
  lastSpeedMps: number | null
  lastAltitude: number | null
}

/** Every track of a live map by its id. It is changed in place: a busy event has thousands of positions a second. */
export type LiveTracks<Track extends SharedTrack = SharedTrack> = Map<string, LiveTrack<Track>>

/** Takes in what a track is now. */
export function applyTrack<Track extends SharedTrack>(live: LiveTracks<Track>, track: Track): void {
  entryOf(live, track.id).track = track
}

/** Takes in further positions. Those not later than the last one were sent before, and are passed over. */
export function applyPoints(live: LiveTracks<SharedTrack>, points: LivePoints): void {
  const entry = entryOf(live, points.track_id)
  let isFirst = true
  for (let index = 0; index < points.time_ms.length; index++) {
    if (points.time_ms[index] <= entry.lastTimeMs) continue
    if (entry.parts.length === 0 || (isFirst && points.has_gap)) entry.parts.push([])
    isFirst = false
    entry.parts[entry.parts.length - 1].push([points.longitude[index], points.latitude[index]])
    entry.lastTimeMs = points.time_ms[index]
    entry.lastSpeedMps = points.speed_mps[index]
    entry.lastAltitude = points.altitude[index]
  }
}

/** Where a track is; undefined before its first position. */
export function headOf({ parts }: LiveTrack): [number, number] | undefined {
  return parts.at(-1)?.at(-1)
}

function entryOf<Track extends SharedTrack>(live: LiveTracks<Track>, id: string): LiveTrack<Track> {
  let entry = live.get(id)
  if (entry === undefined) {
    entry = {
      track: undefined,
      parts: [],
      lastTimeMs: Number.NEGATIVE_INFINITY,
      lastSpeedMps: null,
      lastAltitude: null,
    }
    live.set(id, entry)
  }
  return entry
}
