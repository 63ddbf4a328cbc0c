import type { ActivityPoint } from '../../scripts/activity-file/activity-file.ts'
import { distanceMeters } from '../../src/tracks/statistics/trace.ts'

/** A position on a plane, as fractions of a square around the whole route, from its upper left. */
export type Place = { x: number; y: number }

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

/** Computes each point's distance from the start along the route. */
export function distancesMeters(points: readonly ActivityPoint[]): number[] {
  let total = 0
  return points.map((point, i) => {
    if (i > 0) {
      const before = points[i - 1]
      total += distanceMeters(before.latitude, before.longitude, point.latitude, point.longitude)
    }
    return total
  })
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}
