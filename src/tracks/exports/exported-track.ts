import type { ActivityType, Pause } from '../model/track-state.ts'
import type { PointColumns } from '../points/point-columns.ts'
import type { Interval } from '../statistics/elevation.ts'

/**
 * Points of a slice: few enough to be formatted in about a millisecond, so that a request of a phone waits no longer.
 */
const MAX_SLICE_POINTS = 256

/**
 * Some points of a track as they are stored, in a few bytes each: those from `from` up to but not including `to`.
 * A format that needs the points several times holds this form.
 */
export type StoredPage = { from: number; to: number; unpack(): PointColumns }

/** Points to format at once, from `from` up to but not including `to`. */
export type PointSlice = PointColumns & { from: number; to: number }

/** Figures of a whole track, for the formats that have a place for them. Absent ones are unknown. */
export type TrackTotals = {
  distanceMeters?: number | undefined
  /** Elapsed time, pauses included. */
  durationSec?: number | undefined
  pausedSec?: number | undefined
  ascentMeters?: number | undefined
  descentMeters?: number | undefined
  /** Each holds the true climb with a probability of 95 %. */
  ascentInterval?: Interval | undefined
  descentInterval?: Interval | undefined
  meanSpeedMps?: number | undefined
  maxSpeedMps?: number | undefined
}

/** The data of an export. */
export type ExportedTrack = {
  id: string
  title: string
  activityType: ActivityType
  startMs: number
  /** Time of the latest point; null without points. */
  lastPointMs: number | null
  /** Number of points that the pages have at least. They have more if points arrive meanwhile. */
  pointCount: number
  pauses: readonly Pause[]
  /** Empty for formats without totals. */
  totals: TrackTotals
  /** All points in order, a page at a time. */
  pages: AsyncIterable<StoredPage>
}

/** Yields the points of a page in slices. */
export function* slicesOf({ from, to, unpack }: StoredPage): Generator<PointSlice> {
  const points = unpack()
  for (let start = from; start < to; start += MAX_SLICE_POINTS) {
    yield { ...points, from: start, to: Math.min(to, start + MAX_SLICE_POINTS) }
  }
}

/** Yields all points in slices, while only a page of them is in memory. */
export async function* pointSlices(pages: AsyncIterable<StoredPage>): AsyncGenerator<PointSlice> {
  for await (const page of pages) yield* slicesOf(page)
}

/**
 * Returns a number in plain decimals, as XML Schema's `decimal` requires: never `1e-7`. Parsing it returns the same
 * number.
 */
export function plainDecimal(value: number): string {
  const text = Object.is(value, -0) ? '-0' : String(value)
  if (!text.includes('e')) return text
  const [, sign, whole, fraction = '', exponent] = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text)!
  const digits = whole + fraction
  const point = whole.length + Number(exponent)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  return `${sign}${digits.padEnd(point, '0')}`
}
