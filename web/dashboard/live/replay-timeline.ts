import type { EventReplay, ReplayTrack } from '../../../src/tracks/statistics/schemas.ts'
import { unwrapLongitudes } from '../../map/coordinates.ts'

/** A line in time, in the coordinates that it is drawn in. */
export type Line = {
  /** Ascending times of its positions. */
  timeSec: ArrayLike<number>
  /** Web Mercator, the world being 1 wide and 1 high; unwrapped across the antimeridian. */
  x: ArrayLike<number>
  y: ArrayLike<number>
  /** Indexes of positions before which the way is unknown. */
  gaps?: ReadonlySet<number>
}

/** A line and the look of its runner. */
export type DrawnRunner = Line & {
  id: string
  name: string
  colour: string
  /** True for a track that goes on: its last position is not its end. */
  isUnderWay: boolean
  /** Time of its last position. */
  lastSec: number
  /** True for one without a signal. */
  isSilent?: boolean
  /** True for one that a search has not found. */
  isDim?: boolean
}

/** A track of a replay. Its times are seconds since its start. */
export type Runner = DrawnRunner & {
  activityType: ReplayTrack['activity_type']
  startMs: number
  /** Distance so far. */
  meters: readonly number[]
}

/** A place on a line: between the position at `index` and the next one, by `share`. */
export type Place = { index: number; share: number }

/** Distinct on light and dark maps; runners that start one after another differ. */
const COLOURS = ['#1c7ed6', '#e8590c', '#2f9e44', '#ae3ec9', '#e03131', '#0c8599', '#f08c00', '#5f3dc4', '#c2255c']

/** Returns the runners of a replay, in its order. `nameIn` puts a name into the language of the page. */
export function runnersOf({ tracks }: EventReplay, nameIn: (name: string) => string = String): Runner[] {
  return tracks.map((track, i) => ({
    id: track.track_id,
    name: nameIn(track.name),
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
 * Returns the place on a line at a time: at the first position before it, at the last after it. In a gap, it is where
 * the gap begins.
 */
export function placeAt(line: Line, sec: number): Place {
  const index = indexAt(line, sec)
  return { index, share: shareAt(line, index, sec) }
}

/** Returns the value of a column at a place. */
export function valueAt(column: ArrayLike<number>, { index, share }: Place): number {
  return between(column, index, share)
}

/** Returns the Web Mercator x of a longitude, from 0 at 180° west to 1. */
export function mercatorX(longitude: number): number {
  return (longitude + 180) / 360
}

/** Returns the Web Mercator y of a latitude, from 0 at 85° north to 1. */
export function mercatorY(latitude: number): number {
  return (180 - (180 / Math.PI) * Math.log(Math.tan(Math.PI / 4 + (latitude * Math.PI) / 360))) / 360
}

/** Returns the longitude of a Web Mercator x. */
export function longitudeOf(x: number): number {
  return x * 360 - 180
}

/** Returns the latitude of a Web Mercator y. */
export function latitudeOf(y: number): number {
  return (Math.atan(Math.exp((180 - y * 360) * (Math.PI / 180))) - Math.PI / 4) * (360 / Math.PI)
}

/** All runners from the same moment, each from the own start; or at the time of day. */
export type ReplayMode = 'common' | 'clock'

/** The time of a replay, in seconds from its beginning. */
export type Timeline = {
  mode: ReplayMode
  durationSec: number
  /** Start of the first runner in milliseconds since 1970: the time of day of second 0. */
  originMs: number
  /** Start of each runner on the timeline, by id; 0 for all with a common start. */
  startsSec: ReadonlyMap<string, number>
  /** Times at which anyone is under way, in order and apart. */
  busy: readonly { fromSec: number; toSec: number }[]
}

/** Nobody under way for longer than this is skipped while a replay plays. */
const IDLE_SEC = 600
/** A replay by time of day that is this much longer than with a common start is mostly waiting. */
const MOSTLY_WAITING = 3

/** Returns the timeline of at least one runner. */
export function timelineOf(runners: readonly Runner[], mode: ReplayMode): Timeline {
  const originMs = Math.min(...runners.map(({ startMs }) => startMs))
  const startOf = ({ startMs }: Runner) => (mode === 'common' ? 0 : (startMs - originMs) / 1000)
  const busy: { fromSec: number; toSec: number }[] = []
  for (const runner of runners.toSorted((a, b) => startOf(a) - startOf(b))) {
    const [fromSec, toSec] = [startOf(runner), startOf(runner) + runner.lastSec]
    const last = busy.at(-1)
    if (last !== undefined && fromSec - last.toSec <= IDLE_SEC) last.toSec = Math.max(last.toSec, toSec)
    else busy.push({ fromSec, toSec })
  }
  return {
    mode,
    originMs,
    durationSec: busy.at(-1)!.toSec,
    startsSec: new Map(runners.map((runner) => [runner.id, startOf(runner)])),
    busy,
  }
}

/** Returns the mode that shows most: the time of day, unless the runners started hours or days apart. */
export function usualMode(runners: readonly Runner[]): ReplayMode {
  const [common, clock] = [timelineOf(runners, 'common'), timelineOf(runners, 'clock')]
  return clock.durationSec > MOSTLY_WAITING * common.durationSec ? 'common' : 'clock'
}

/** Returns the seconds that a runner has been under way; negative before the start. */
export function elapsedSec({ startsSec }: Timeline, { id }: Runner, atSec: number): number {
  return atSec - (startsSec.get(id) ?? 0)
}

/** Returns the next time at which anyone is under way; the same time while someone is. */
export function nextBusySec({ busy, durationSec }: Timeline, atSec: number): number {
  const next = busy.find(({ toSec }) => toSec > atSec)
  return next === undefined ? durationSec : Math.max(atSec, next.fromSec)
}

/** A runner at a time of a replay. */
export type Standing = {
  runner: Runner
  state: 'waiting' | 'running' | 'ended'
  /** Seconds under way, at most until the end; 0 before the start. */
  elapsedSec: number
  meters: number
}

/** Returns where everyone is at a time: those who have come furthest first, and those who have not started last. */
export function standingsAt(runners: readonly Runner[], timeline: Timeline, atSec: number): Standing[] {
  const standings = runners.map((runner): Standing => {
    const sec = elapsedSec(timeline, runner, atSec)
    const state = sec < 0 ? 'waiting' : sec < runner.lastSec || runner.isUnderWay ? 'running' : 'ended'
    const meters = valueAt(runner.meters, placeAt(runner, sec))
    return { runner, state, elapsedSec: Math.min(Math.max(0, sec), runner.lastSec), meters }
  })
  const rank = ({ state, meters }: Standing) => (state === 'waiting' ? -1 : meters)
  return standings.sort((a, b) => rank(b) - rank(a) || a.elapsedSec - b.elapsedSec)
}

/** Returns the index of the last position at or before a time, or 0. */
export function indexAt({ timeSec }: Line, sec: number): number {
  let high = timeSec.length - 1
  // Live runners are between their last two positions.
  if (sec >= timeSec[high]) return high
  if (high > 0 && sec >= timeSec[high - 1]) return high - 1
  let low = 0
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if (timeSec[middle] <= sec) low = middle
    else high = middle - 1
  }
  return low
}

/** Returns the share of the way from a position to the next. In a gap, it is 0. */
export function shareAt({ timeSec, gaps }: Line, at: number, sec: number): number {
  if (at === timeSec.length - 1 || sec <= timeSec[0] || gaps?.has(at + 1)) return 0
  return (sec - timeSec[at]) / (timeSec[at + 1] - timeSec[at])
}

/** Returns the value of a column at a share of the way from a position to the next. */
export function between(column: ArrayLike<number>, at: number, share: number): number {
  return share === 0 ? column[at] : column[at] + share * (column[at + 1] - column[at])
}
