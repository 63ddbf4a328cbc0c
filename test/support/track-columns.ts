import { emptyColumns, type PointColumns } from '../../src/tracks/points/point-columns.ts'

/** A point of a test: seconds since an arbitrary start, and values as in the columns. */
export type TestPoint = {
  sec: number
  latitude?: number
  longitude?: number
  altitude?: number
  accuracy?: number
  speedMps?: number
  heading?: number
  battery?: number
  /** Position of the word in the field's choices, from 1. */
  origin?: number
}

export const TEST_START_MS = Date.UTC(2026, 4, 3, 6, 15)

/** Returns columns of the points in the given order. Missing coordinates are 0; other missing values stay absent. */
export function columnsOf(points: readonly TestPoint[]): PointColumns {
  const columns = emptyColumns(points.length)
  points.forEach((point, i) => {
    columns.timeMs[i] = TEST_START_MS + point.sec * 1000
    columns.latitude[i] = point.latitude ?? 0
    columns.longitude[i] = point.longitude ?? 0
    columns.altitude[i] = point.altitude ?? Number.NaN
    columns.accuracy[i] = point.accuracy ?? Number.NaN
    columns.speedMps[i] = point.speedMps ?? Number.NaN
    columns.heading[i] = point.heading ?? Number.NaN
    columns.battery[i] = point.battery ?? Number.NaN
    columns.origin[i] = point.origin ?? 0
  })
  return columns
}

/** Degrees of latitude that are one metre on the sphere the statistics use. */
export const DEGREES_PER_METER = 180 / (Math.PI * 6_371_008.8)

/** Points one behind the other on the way north, the first at the equator; `meters` says how far each one has come. */
export function northward(count: number, stepSec: number, meters: (index: number) => number): TestPoint[] {
  return Array.from({ length: count }, (_, i) => ({ sec: i * stepSec, latitude: meters(i) * DEGREES_PER_METER }))
}
