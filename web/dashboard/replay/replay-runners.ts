import type { EventReplay, ReplayTrack } from '../../../src/tracks/schemas/replay.ts'
import { unwrapLongitudes } from '../../map/unwrap-longitudes.ts'

/** A track of a replay, in the coordinates that it is drawn in. */
export type Runner = {
  id: string
  name: string
  activityType: ReplayTrack['activity_type']
  /** True for a track that goes on: its last position is not its end. */
  isUnderWay: boolean
  startMs: number
  /** Seconds since the start, ascending from 0. */
  timeSec: readonly number[]
  /** Web Mercator, the world being 1 wide and 1 high; unwrapped across the antimeridian. */
  x: Float64Array
  y: Float64Array
  /** Distance so far. */
  meters: readonly number[]
  /** Seconds from the start to the last position. */
  lastSec: number
  colour: string
}

/** A place on a line: between the position at `index` and the next one, by `share`. */
export type Place = { index: number; share: number }

/** Distinct on light and dark maps; runners that start one after another differ. */
const COLOURS = ['#1c7ed6', '#e8590c', '#2f9e44', '#ae3ec9', '#e03131', '#0c8599', '#f08c00', '#5f3dc4', '#c2255c']

/** Returns the runners of a replay, in its order. */
export function runnersOf({ tracks }: EventReplay): Runner[] {
  return tracks.map((track, i) => ({
    id: track.track_id,
    name: track.title,
    activityType: track.activity_type,
    isUnderWay: track.state !== 'stopped',
    startMs: track.start_ms,
    timeSec: track.time_sec,
    x: Float64Array.from(unwrapLongitudes(track.longitude), mercatorX),
    y: Float64Array.from(track.latitude, mercatorY),
    meters: track.distance_m,
    lastSec: track.time_sec.at(-1)!,
    colour: COLOURS[i % COLOURS.length],
  }))
}

/**
 * Returns the place of a runner so many seconds after the start: at the first position before it, at the last after it.
 */
export function placeAt({ timeSec }: Runner, sec: number): Place {
  let [low, high] = [0, timeSec.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if (timeSec[middle] <= sec) low = middle
    else high = middle - 1
  }
  if (low === timeSec.length - 1 || sec <= timeSec[0]) return { index: low, share: 0 }
  return { index: low, share: (sec - timeSec[low]) / (timeSec[low + 1] - timeSec[low]) }
}

/** Returns the value of a column at a place. */
export function valueAt(column: ArrayLike<number>, { index, share }: Place): number {
  return share === 0 ? column[index] : column[index] + share * (column[index + 1] - column[index])
}

/** Returns the Web Mercator x of a longitude, from 0 at 180° west to 1. */
export function mercatorX(longitude: number): number {
  return (longitude + 180) / 360
}

/** Returns the Web Mercator y of a latitude, from 0 at 85° north to 1. */
export function mercatorY(latitude: number): number {
  return (180 - (180 / Math.PI) * Math.log(Math.tan(Math.PI / 4 + (latitude * Math.PI) / 360))) / 360
}
