import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { closestLongitude, unwrapLongitudes } from '../../map/coordinates.ts'
import type { Split, TrackSeries } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'

/** A series as it is drawn. */
export type DrawnSeries = TrackSeries & {
  /** The slope at each point; null where it is unknown. */
  gradient: (number | null)[]
}

/**
 * Returns a series for drawing: unbroken across the antimeridian, with smooth speeds and altitudes that still have the
 * extremes of the statistics, at their points.
 */
export function drawnSeries(series: TrackSeries): DrawnSeries {
  const longitude = unwrapLongitudes(series.longitude)
  const start = longitude[0] ?? 0
  const near = (degrees: readonly number[]) => degrees.map((each) => closestLongitude(each, start))
  const { min_altitude_m, max_altitude_m, max_speed_mps } = series.extremes
  return {
    ...series,
    longitude,
    speed_mps: withMaximum(smoothSpeeds(series), max_speed_mps),
    altitude_smoothed: withValue(withValue(series.altitude_smoothed, min_altitude_m), max_altitude_m),
    gradient: gradients(series, series.altitude_smoothed),
    left_out: { ...series.left_out, longitude: near(series.left_out.longitude) },
    trimmed: series.trimmed.map((end) => ({ ...end, longitude: unwrapLongitudes(near(end.longitude)) })),
  }
}

type Extreme = TrackSeries['extremes']['max_speed_mps']

/** A line that rose above its maximum would contradict it: positions are coarser than the speed of a receiver. */
function withMaximum(values: readonly (number | null)[], maximum: Extreme): (number | null)[] {
  if (maximum === undefined) return [...values]
  return withValue(
    values.map((value) => (value === null ? null : Math.min(value, maximum.value))),
    maximum,
  )
}

function withValue(values: readonly (number | null)[], extreme: Extreme): (number | null)[] {
  return extreme === undefined ? [...values] : values.with(extreme.index, extreme.value)
}

/** The shortest and the longest time that a speed is averaged over. A long track is drawn on the same few pixels. */
const MIN_WINDOW_MS = 30_000
const MAX_WINDOW_MS = 60_000
/** Windows that a track is divided into before they get longer. */
const WINDOWS = 120

type Way = Pick<TrackSeries, 'time_ms' | 'distance_meters' | 'gaps'>

/** Returns the time that speeds of a track are averaged over. */
export function smoothingMs(time_ms: readonly number[]): number {
  const durationMs = (time_ms.at(-1) ?? 0) - (time_ms[0] ?? 0)
  return Math.min(MAX_WINDOW_MS, Math.max(MIN_WINDOW_MS, durationMs / WINDOWS))
}

/**
 * Returns the speed to draw at each point: the distance of the time around it divided by that time, at least between
 * its neighbours, but never over a gap; null for an isolated point. For display only. Speeds at single points jitter,
 * and downsampling a long track keeps just the fastest points; the distance between points is that of the statistics.
 */
export function smoothSpeeds({ time_ms, distance_meters, gaps }: Way): (number | null)[] {
  const halfMs = smoothingMs(time_ms) / 2
  const breaks = new Set(gaps.map(({ index }) => index))
  const speeds: (number | null)[] = []
  const last = time_ms.length - 1
  let from = 0
  let to = 0
  for (let index = 0; index <= last; index++) {
    if (breaks.has(index)) from = index
    while (from < index - 1 && time_ms[from] < time_ms[index] - halfMs) from++
    to = Math.max(to, index)
    while (to < last && !breaks.has(to + 1) && (to === index || time_ms[to + 1] <= time_ms[index] + halfMs)) to++
    const sec = (time_ms[to] - time_ms[from]) / 1000
    speeds.push(sec > 0 ? (distance_meters[to] - distance_meters[from]) / sec : null)
  }
  return speeds
}

/** A slope is that of this many metres of way: over fewer, the error of altitudes alone is some percent. */
const WINDOW_METERS = 150
const MIN_METERS = 30

type GradientsWay = Omit<Way, 'time_ms'>

/**
 * Returns the slope at each point, rise divided by way, between the places half a window before and after it; null
 * without an altitude or where the unbroken way is too short.
 */
export function gradients(
  { distance_meters, gaps }: GradientsWay,
  altitudes: readonly (number | null)[],
): (number | null)[] {
  const breaks = new Set(gaps.map(({ index }) => index))
  const slopes: (number | null)[] = []
  const isKnown = (index: number) => altitudes[index] !== null
  const last = distance_meters.length - 1
  let from = 0
  let to = 0
  for (let index = 0; index <= last; index++) {
    if (breaks.has(index)) from = index
    while (from < index && distance_meters[from] < distance_meters[index] - WINDOW_METERS / 2) from++
    to = Math.max(to, index)
    while (to < last && !breaks.has(to + 1) && distance_meters[to] < distance_meters[index] + WINDOW_METERS / 2) to++
    const meters = distance_meters[to] - distance_meters[from]
    const known = meters >= MIN_METERS && isKnown(index) && isKnown(from) && isKnown(to)
    slopes.push(known ? (altitudes[to]! - altitudes[from]!) / meters : null)
  }
  return slopes
}

/** Part of a series from one index to another, both included. */
export type IndexRange = { from: number; to: number }

/**
 * Returns the points of a split: those within its times, with the nearest ones
 * outside, so that splits touch each other.
 */
export function indexRangeOf(time_ms: readonly number[], split: Pick<Split, 'start_ts' | 'end_ts'>) {
  const [startMs, endMs] = [Date.parse(split.start_ts), Date.parse(split.end_ts)]
  const after = time_ms.findIndex((timeMs) => timeMs > startMs)
  const end = time_ms.findIndex((timeMs) => timeMs >= endMs)
  const range: IndexRange = {
    from: Math.max(0, (after < 0 ? time_ms.length : after) - 1),
    to: end < 0 ? time_ms.length - 1 : end,
  }
  return range
}

/** Returns the values at a point of a track in words: when and where it is, how high and steep, how fast. */
export function usePointWords(series: DrawnSeries, activityType: string): (index: number) => string {
  const { t } = useTranslation()
  const format = useFormat()
  return useCallback(
    (index) => {
      const altitude = series.altitude_smoothed[index]
      const slope = series.gradient[index]
      const mps = series.speed_mps[index]
      return [
        format.time(series.time_ms[index]),
        format.duration((series.time_ms[index] - series.time_ms[0]) / 1000),
        format.distance(series.distance_meters[index]),
        ...(altitude === null ? [] : [format.meters(altitude)]),
        ...(slope === null ? [] : [t('profile.gradient', { value: format.gradient(slope) })]),
        ...(mps === null ? [] : [format.rate(activityType, mps)]),
      ].join(' · ')
    },
    [series, activityType, format, t],
  )
}
