import type { ReplayTrack } from '../schemas/replay.ts'
import type { ReplayLine } from '../statistics/replay/replay-line.ts'
import type { ReplayedTrack } from '../storage/operator-tracks-store.ts'

/** Decimals of a degree: a meter, which is less than the error of a position in a replay. */
const DEGREE_DECIMALS = 5

type LineMembers = Pick<ReplayTrack, 'start_ms' | 'time_sec' | 'latitude' | 'longitude' | 'distance_m'>

/** Represents the line of a track in a replay, with at least one position. */
export function replayLineJson({ timeMs, latitude, longitude, distanceMeters }: ReplayLine): LineMembers {
  const startMs = timeMs[0]
  return {
    start_ms: startMs,
    time_sec: Array.from(timeMs, (ms) => Math.round((ms - startMs) / 100) / 10),
    latitude: Array.from(latitude, rounded),
    longitude: Array.from(longitude, rounded),
    distance_m: Array.from(distanceMeters, Math.round),
  }
}

/**
 * Writes a replay from lines that are written already: the members of `replayLineJson` without their braces; undefined
 * for a track of which nothing is shown.
 */
export function replayJson(
  tracksTotal: number,
  shown: readonly { track: ReplayedTrack; line: Uint8Array | undefined }[],
): Uint8Array {
  const parts: Uint8Array[] = [Buffer.from(`{"tracks_total":${tracksTotal},"tracks":[`)]
  for (const { track, line } of shown) {
    if (line === undefined) continue
    const { id: track_id, title, activity_type, state } = track
    const head = JSON.stringify({ track_id, title, activity_type, state }).slice(0, -1)
    parts.push(Buffer.from(`${parts.length === 1 ? '' : ','}${head},`), line, CLOSED)
  }
  return Buffer.concat([...parts, Buffer.from(']}')])
}

const CLOSED = Buffer.from('}')

function rounded(degrees: number): number {
  return Math.round(degrees * 10 ** DEGREE_DECIMALS) / 10 ** DEGREE_DECIMALS
}
