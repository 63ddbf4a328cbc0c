import type { PointColumns } from '../points/point-columns.ts'
import { downsampleTrack } from './downsample-track.ts'
import { type ElevationMethod, elevationProfile } from './elevation/elevation-gain.ts'
import type { ExaminedTrack } from './examined-track.ts'
import { altitudeExtremes, type Extreme, type SpeedSource, speedExtreme } from './extremes.ts'
import { LEFT_OUT_CODES, leftOutPoints } from './left-out-points.ts'
import { LEG_KINDS } from './legs/leg-kinds.ts'
import { pointSpeeds } from './point-speeds.ts'

/** Points that are left out are shown as marks; more of them would only hide the line. */
const MAX_LEFT_OUT = 1000

type GapReason = 'pause' | 'stop' | 'teleport'
type LeftOutReason = Exclude<(typeof LEFT_OUT_CODES)[number], undefined>

/** A downsampled track in columns; NaN for absent values. */
export type TrackSeriesColumns = {
  pointsCount: number
  pointsUsed: number
  timeMs: Float64Array
  latitude: Float64Array
  longitude: Float64Array
  altitude: Float64Array
  /** The altitudes in which climbs are counted; NaN for altitudes that are not used. */
  altitudeSmoothed: Float64Array
  speedMps: Float64Array
  distanceMeters: Float64Array
  /** The extremes of the statistics, at the index of their point in the series. */
  extremes: { lowest: Extreme | undefined; highest: Extreme | undefined; fastest: Extreme | undefined }
  gaps: { index: number; reason: GapReason }[]
  leftOut: { timeMs: Float64Array; latitude: Float64Array; longitude: Float64Array; reason: LeftOutReason[] }
  speedSource: SpeedSource
  elevationMethod: ElevationMethod
}

const GAP_REASONS: Record<number, GapReason> = {
  [LEG_KINDS.paused]: 'pause',
  [LEG_KINDS.stopped]: 'stop',
  [LEG_KINDS.teleport]: 'teleport',
}

/** Returns position, altitude, speed and distance of at most `maxPoints` points chosen by `downsampleTrack`. */
export function computeSeries(points: PointColumns, track: ExaminedTrack, maxPoints: number): TrackSeriesColumns {
  const { trace, kinds, altitudes, medianMps, starts } = track
  const profile = elevationProfile(altitudes, medianMps)
  const smoothed = smoothedAltitudes(track, profile.meters)
  const speeds = pointSpeeds(track)
  const extremes = { ...altitudeExtremes(track), fastest: speedExtreme(track).fastest }
  const marked = Object.values(extremes).flatMap((extreme) => extreme?.index ?? [])
  const kept = downsampleTrack({ trace, altitudes: smoothed, speeds, starts, marked }, maxPoints)
  const inSeries = (extreme: Extreme | undefined) =>
    extreme && { value: extreme.value, index: kept.indexOf(extreme.index) }
  return {
    pointsCount: points.count,
    pointsUsed: trace.count,
    timeMs: pick(trace.timeMs, kept),
    latitude: pick(trace.latitude, kept),
    longitude: pick(trace.longitude, kept),
    altitude: pick(trace.altitude, kept),
    altitudeSmoothed: pick(smoothed, kept),
    speedMps: pick(speeds, kept),
    distanceMeters: pick(distanceSoFar(track), kept),
    extremes: {
      lowest: inSeries(extremes.lowest),
      highest: inSeries(extremes.highest),
      fastest: inSeries(extremes.fastest),
    },
    gaps: gapsBetween(kinds, kept),
    leftOut: leftOutMarks(points, leftOutPoints(points, track)),
    speedSource: track.ownSpeeds ? 'points' : 'positions',
    elevationMethod: profile.method,
  }
}

function smoothedAltitudes({ trace, altitudes }: ExaminedTrack, meters: Float64Array): Float64Array {
  const all = new Float64Array(trace.count).fill(Number.NaN)
  let next = 0
  for (let i = 0; i < trace.count && next < meters.length; i++) {
    if (altitudes.timeMs[next] === trace.timeMs[i]) all[i] = meters[next++]
  }
  return all
}

function distanceSoFar({ trace, kinds, legMeters }: ExaminedTrack): Float64Array {
  const meters = new Float64Array(trace.count)
  for (let i = 1; i < trace.count; i++) {
    meters[i] = meters[i - 1] + (kinds[i] === LEG_KINDS.travelled ? legMeters[i] : 0)
  }
  return meters
}

/** Returns the gaps between kept points, at the index of the later one; the first of several determines the reason. */
function gapsBetween(kinds: Uint8Array, kept: Int32Array): TrackSeriesColumns['gaps'] {
  const gaps: TrackSeriesColumns['gaps'] = []
  for (let index = 1; index < kept.length; index++) {
    for (let i = kept[index - 1] + 1; i <= kept[index]; i++) {
      if (kinds[i] === LEG_KINDS.travelled) continue
      gaps.push({ index, reason: GAP_REASONS[kinds[i]] })
      break
    }
  }
  return gaps
}

function leftOutMarks(points: PointColumns, codes: Uint8Array): TrackSeriesColumns['leftOut'] {
  const all: number[] = []
  for (let i = 0; i < codes.length; i++) if (codes[i] !== 0) all.push(i)
  const count = Math.min(all.length, MAX_LEFT_OUT)
  const shown = Int32Array.from({ length: count }, (_, i) => all[Math.floor((i * all.length) / count)])
  return {
    timeMs: pick(points.timeMs, shown),
    latitude: pick(points.latitude, shown),
    longitude: pick(points.longitude, shown),
    reason: Array.from(shown, (index) => LEFT_OUT_CODES[codes[index]]!),
  }
}

function pick(column: Float64Array, indexes: Int32Array): Float64Array {
  return Float64Array.from(indexes, (index) => column[index])
}
