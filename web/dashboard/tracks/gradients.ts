import type { TrackSeries } from '../api/tracks.ts'

/** A slope is that of this many metres of way: over fewer, the error of altitudes alone is some percent. */
const WINDOW_METERS = 150
const MIN_METERS = 30

type Way = Pick<TrackSeries, 'distance_meters' | 'gaps'>

/**
 * Returns the slope at each point, rise divided by way, between the places half a window before and after it; null
 * without an altitude or where the unbroken way is too short.
 */
export function gradients({ distance_meters, gaps }: Way, altitudes: readonly (number | null)[]): (number | null)[] {
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
