import type { Kysely } from 'kysely'
import { boundedCache } from '#platform/basics/bounded-cache.ts'
import type { ShortSlices } from '#platform/jobs/main-thread-time.ts'
import type { TracksTables } from '../model/tables.ts'
import type { ShownTrackRow } from '../model/track-rows.ts'
import { shownPartOf } from '../model/track-state.ts'
import type { PointColumns } from '../points/point-columns.ts'
import type { TailQuery } from '../points/storage/track-changes.ts'
import { type DelayedTails, readShownTails } from '../shares/delayed-tracks.ts'
import {
  type FramePosition,
  type FrameTrack,
  headingStep,
  METERS_PER_DEGREE,
  speedStep,
  UNITS_PER_DEGREE,
} from './frame.ts'

/** The last visible point of a track, as precise as frames are, and what its last points tell of the phone. */
export type TrackEnd = {
  timeMs: number
  latitude: number
  longitude: number
  heading: number
  /** Speed in meters per second; NaN if its last points do not tell it. */
  speedMps: number
  /** Charge in per cent; undefined if no point tells it. */
  batteryPercent: number | undefined
}

/** Tracks whose last positions an instance keeps in memory, some 150 bytes each. */
const MAX_RECENT = 100_000

/** The ends of the tracks whose points this instance has stored while somebody watches. */
export type RecentEnds = ReturnType<typeof createRecentEnds>

/** Creates the memory. @param isWatched tells whether anybody watches; nothing is noted while nobody does */
export function createRecentEnds(isWatched: () => boolean) {
  const ends = boundedCache<TrackEnd>(MAX_RECENT)
  return {
    /** Notes stored points, which are in the order of time. */
    note(trackId: string, points: PointColumns): void {
      if (isWatched()) ends.set(trackId, endOf(points))
    },
    /** Returns the end of a track whose last point has this time; undefined if this instance does not know it. */
    find(trackId: string, lastMs: number): TrackEnd | undefined {
      const end = ends.get(trackId)
      return end?.timeMs === lastMs ? end : undefined
    },
  }
}

/** Points before the last one that are read for the direction and the charge. */
const TAIL_MS = 30_000
/** The same where the track goes on after what is shown: its last visible point is not known. */
const CUT_TAIL_MS = 30 * 60_000
/** Tracks whose ends are read at once. */
const TRACKS_PER_READ = 20

type Source = { db: Kysely<TracksTables>; delayedTails: DelayedTails; recentEnds: RecentEnds }

/** Returns the time of the last point that a row may show; undefined without one. */
export function shownEndMs(row: ShownTrackRow): number | undefined {
  const { fromMs, untilMs } = shownPartOf(row)
  if (row.point_count === 0 || row.last_point_ms === null) return undefined
  const endMs = Math.min(row.last_point_ms, untilMs)
  return endMs < fromMs ? undefined : endMs
}

/** Returns the ends of tracks by their ids. Tracks without a visible point are missing. */
export async function readEnds(
  source: Source,
  rows: readonly ShownTrackRow[],
  isDelayed: boolean,
  slices: ShortSlices,
): Promise<Map<string, TrackEnd>> {
  const ends = new Map<string, TrackEnd>()
  const tails: TailQuery[] = []
  await slices.each(rows, (row) => {
    const endMs = shownEndMs(row)
    if (endMs === undefined) return
    const isCut = endMs !== row.last_point_ms
    const known = isDelayed || isCut ? undefined : source.recentEnds.find(row.id, endMs)
    if (known !== undefined) ends.set(row.id, known)
    const afterMs = Math.max(endMs - (isCut ? CUT_TAIL_MS : TAIL_MS), shownPartOf(row).fromMs - 1)
    if (known === undefined) tails.push({ trackId: row.id, afterMs, untilMs: endMs })
  })
  for (let start = 0; start < tails.length; start += TRACKS_PER_READ) {
    const read = await readShownTails(source, isDelayed, tails.slice(start, start + TRACKS_PER_READ))
    for (const [id, points] of read) if (points.count > 0) ends.set(id, endOf(points))
    await slices.next()
  }
  return ends
}

/** Points before the last that may tell the charge: phones tell it with some of their points. */
const MAX_CHARGE_POINTS = 100

function endOf(points: PointColumns): TrackEnd {
  const last = points.count - 1
  let battery = Number.NaN
  for (let i = last; i >= 0 && i > last - MAX_CHARGE_POINTS && !(battery >= 0); i--) battery = points.battery[i]
  return {
    timeMs: points.timeMs[last],
    latitude: Math.round(points.latitude[last] * UNITS_PER_DEGREE),
    longitude: Math.round(points.longitude[last] * UNITS_PER_DEGREE),
    heading: headingStep(headingOf(points)),
    speedMps: speedOf(points),
    batteryPercent: battery >= 0 ? Math.round(Math.min(battery, 1) * 100) : undefined,
  }
}

/** Shortest way that tells a direction, and the points before the last one that it is looked for in. */
const MIN_WAY_METERS = 5
const MAX_WAY_POINTS = 30

/** Returns the direction of movement in degrees, by the phone or else by the last meters; NaN if unknown. */
function headingOf({ count, latitude, longitude, heading }: PointColumns): number {
  const last = count - 1
  if (heading[last] >= 0) return heading[last]
  for (let i = last - 1; i >= 0 && i > last - MAX_WAY_POINTS; i--) {
    const { north, east } = wayMeters({ latitude, longitude }, i, last)
    if (Math.hypot(north, east) >= MIN_WAY_METERS) return ((Math.atan2(east, north) * 180) / Math.PI + 360) % 360
  }
  return Number.NaN
}

/** Time before the last point whose speeds by the phone are averaged. */
const SPEED_MS = 10_000
/** Time over which a speed is measured where the phone tells none. */
const MIN_SPAN_MS = 5000
const MAX_SPAN_MS = 20_000

/** Returns the speed in meters per second, by the phone or else by the last positions; NaN if unknown. */
function speedOf({ count, timeMs, latitude, longitude, speedMps }: PointColumns): number {
  const last = count - 1
  let [sum, told] = [0, 0]
  for (let i = last; i >= 0 && timeMs[last] - timeMs[i] <= SPEED_MS; i--) {
    if (!(speedMps[i] >= 0)) continue
    sum += speedMps[i]
    told++
  }
  if (told > 0) return sum / told
  let first = last
  while (first > 0 && timeMs[last] - timeMs[first - 1] <= MAX_SPAN_MS) first--
  const spanMs = timeMs[last] - timeMs[first]
  if (spanMs < MIN_SPAN_MS) return Number.NaN
  const { north, east } = wayMeters({ latitude, longitude }, first, last)
  return (Math.hypot(north, east) * 1000) / spanMs
}

type Places = { latitude: Float64Array; longitude: Float64Array }

function wayMeters({ latitude, longitude }: Places, from: number, to: number) {
  const shrink = Math.cos((latitude[to] * Math.PI) / 180)
  return {
    north: (latitude[to] - latitude[from]) * METERS_PER_DEGREE,
    east: (longitude[to] - longitude[from]) * METERS_PER_DEGREE * shrink,
  }
}

/** Returns an end as a frame shows it. A phone that tells no direction keeps its last one while it stands still. */
export function positionOf(
  { timeMs, latitude, longitude, heading }: TrackEnd,
  before: FramePosition | null,
): FramePosition {
  const timeSec = Math.floor(timeMs / 1000)
  return {
    timeSec,
    latitude,
    longitude,
    heading: heading === 0 ? headingBetween(before, latitude, longitude) : heading,
  }
}

/** Shortest way between two frames that tells a direction, in units of a position. */
const MIN_WAY_UNITS = 5

function headingBetween(before: FramePosition | null, latitude: number, longitude: number): number {
  if (before === null) return 0
  const { north, east } = wayUnits(before, { latitude, longitude })
  if (Math.hypot(north, east) < MIN_WAY_UNITS) return before.heading
  return headingStep(((Math.atan2(east, north) * 180) / Math.PI + 360) % 360)
}

/** Time between two frames over which a speed is measured: positions are exact to a meter and a second. */
const MIN_SPEED_SEC = 3
const MAX_SPEED_SEC = 60

/** Returns the step of the speed at an end: by its points, or else since the frame before unless that is long ago. */
export function speedStepOf(end: TrackEnd, before: FrameTrack | undefined): number {
  if (!Number.isNaN(end.speedMps)) return speedStep(end.speedMps)
  if (!before?.position) return 0
  const passedSec = end.timeMs / 1000 - before.position.timeSec
  if (passedSec < MIN_SPEED_SEC) return before.speed
  if (passedSec > MAX_SPEED_SEC) return 0
  const { north, east } = wayUnits(before.position, end)
  return speedStep((Math.hypot(north, east) * METERS_PER_DEGREE) / UNITS_PER_DEGREE / passedSec)
}

type Place = { latitude: number; longitude: number }

function wayUnits(from: Place, to: Place) {
  const east = (to.longitude - from.longitude) * Math.cos((to.latitude / UNITS_PER_DEGREE / 180) * Math.PI)
  return { north: to.latitude - from.latitude, east }
}
