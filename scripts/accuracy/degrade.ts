import { normalNumbers } from '../../test/support/wandering-noise.ts'
import type { ActivityPoint } from '../activity-file/activity-file.ts'

export const METERS_PER_DEGREE = 111_195

/** The same errors on every run, so that a measurement can be repeated. */
const SEED = 20_260_503

/** A degradation of a recording. */
export type Degradation = (points: readonly ActivityPoint[]) => ActivityPoint[]

/** Keeps only points at least a number of seconds apart. */
export function thinned(seconds: number): Degradation {
  return (points) => {
    let lastMs = Number.NEGATIVE_INFINITY
    return points.filter(({ timestamp }) => {
      const isDue = Date.parse(timestamp) - lastMs >= seconds * 1000
      if (isDue) lastMs = Date.parse(timestamp)
      return isDue
    })
  }
}

/** Removes the speeds of the points. */
export const withoutSpeeds: Degradation = (points) => points.map(({ speed_mps: _, ...point }) => point)

/** Adds normally distributed errors to the altitudes, correlated over `overSec` like those of a receiver. */
export function withAltitudeNoise(sigmaMeters: number, overSec: number, seed = SEED): Degradation {
  return (points) => {
    const normal = normalNumbers(seed)
    let error = normal() * sigmaMeters
    return points.map((point, i) => {
      const seconds = i === 0 ? 0 : (Date.parse(point.timestamp) - Date.parse(points[i - 1].timestamp)) / 1000
      const keep = Math.exp(-seconds / overSec)
      error = error * keep + normal() * sigmaMeters * Math.sqrt(1 - keep * keep)
      return point.altitude === undefined ? point : { ...point, altitude: point.altitude + error }
    })
  }
}

/** Rounds altitudes to whole metres, as some phones send them. */
export const inWholeMeters: Degradation = (points) =>
  points.map((point) => (point.altitude === undefined ? point : { ...point, altitude: Math.round(point.altitude) }))

/** Errors of a position on each axis: one that stays alike over `overSec`, and one of each position alone. */
type PositionErrors = { meters: number; overSec: number; aloneMeters: number }

/** Adds normally distributed errors to the positions, and removes the speeds, which would know nothing of them. */
export function withPositionNoise({ meters, overSec, aloneMeters }: PositionErrors, seed = SEED): Degradation {
  return (points) => {
    const normal = normalNumbers(seed)
    let [north, east] = [normal() * meters, normal() * meters]
    return withoutSpeeds(points).map((point, i) => {
      const seconds = i === 0 ? 0 : (Date.parse(point.timestamp) - Date.parse(points[i - 1].timestamp)) / 1000
      const keep = Math.exp(-seconds / overSec)
      const fresh = meters * Math.sqrt(1 - keep * keep)
      north = north * keep + normal() * fresh
      east = east * keep + normal() * fresh
      const metersPerDegreeEast = METERS_PER_DEGREE * Math.cos((point.latitude * Math.PI) / 180)
      return {
        ...point,
        latitude: point.latitude + (north + normal() * aloneMeters) / METERS_PER_DEGREE,
        longitude: point.longitude + (east + normal() * aloneMeters) / metersPerDegreeEast,
      }
    })
  }
}

/** Moves a number of points in every 300 to the north, as reflected signals do. */
export function withExcursions(meters: number, length: number): Degradation {
  return (points) =>
    points.map((point, i) => {
      const isAway = i % 300 >= 150 && i % 300 < 150 + length
      return isAway ? { ...point, latitude: Math.min(90, point.latitude + meters / METERS_PER_DEGREE) } : point
    })
}

/** Applies one after the other. */
export function both(first: Degradation, second: Degradation): Degradation {
  return (points) => second(first(points))
}
