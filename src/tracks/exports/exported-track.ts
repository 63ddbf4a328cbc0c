import type { Pause } from '../domain/pauses.ts'
import type { PointColumns } from '../points/point-columns.ts'

/** Some points of a track: those from `from` up to but not including `to`. */
export type PointsPage = PointColumns & { from: number; to: number }

/** The data of an export. */
export type ExportedTrack = {
  id: string
  title: string
  activityType: string
  startMs: number
  pauses: readonly Pause[]
  /** All points in order, a page at a time. */
  pages: AsyncIterable<PointsPage>
}

/**
 * Returns a number in plain decimals, as XML Schema's `decimal` requires: never `1e-7`. Parsing it returns the same
 * number.
 */
export function plainDecimal(value: number): string {
  const text = Object.is(value, -0) ? '-0' : String(value)
  const [, sign, whole, fraction = '', exponent] = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? []
  if (exponent === undefined) return text
  const digits = whole + fraction
  const point = whole.length + Number(exponent)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  return `${sign}${digits.padEnd(point, '0')}`
}
