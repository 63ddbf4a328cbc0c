import type { ActivityPoint } from '../../scripts/activity-file/activity-file.ts'

/** A position on a plane, as fractions of a square around the whole route, from its upper left. */
export type Place = { x: number; y: number }

const EARTH_RADIUS_M = 6_371_000

/** Fits a route into a square. A degree of longitude shrinks by the cosine of the latitude. */
export function shapeOf(points: readonly ActivityPoint[]): Place[] {
  const shrink = Math.cos(radians(points[0].latitude))
  const xs = points.map(({ longitude }) => longitude * shrink)
  const ys = points.map(({ latitude }) => -latitude)
  const [left, top] = [Math.min(...xs), Math.min(...ys)]
  const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - top]
  const side = Math.max(width, height)
  return points.map((_, i) => ({
    x: (xs[i] - left + (side - width) / 2) / side,
    y: (ys[i] - top + (side - height) / 2) / side,
  }))
}

/** Selects at most this many items evenly, including the first and the last. */
export function thinned<Item>(items: readonly Item[], most: number): Item[] {
  if (items.length <= most) return [...items]
  return Array.from({ length: most }, (_, i) => items[Math.round((i * (items.length - 1)) / (most - 1))])
}

/** Computes each point's distance from the start along the route, by the haversine formula. */
export function distancesMeters(points: readonly ActivityPoint[]): number[] {
  let total = 0
  return points.map((point, i) => {
    if (i > 0) total += distanceBetween(points[i - 1], point)
    return total
  })
}

function distanceBetween(a: ActivityPoint, b: ActivityPoint): number {
  const halfLatitude = Math.sin(radians(b.latitude - a.latitude) / 2)
  const halfLongitude = Math.sin(radians(b.longitude - a.longitude) / 2)
  const along = Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude))
  return 2 * EARTH_RADIUS_M * Math.asin(Math.sqrt(halfLatitude ** 2 + along * halfLongitude ** 2))
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}
