import { isWritableTime } from '#platform/time/date-time.ts'
import { emptyColumns, type PointColumns, sliceColumns } from '../../points/point-columns.ts'
import { CHOICE_FIELDS, NUMBER_FIELDS, type ValueColumn } from '../../points/point-fields.ts'
import { sortPoints } from '../../points/point-order.ts'
import { ImportFileError, MAX_POINTS_PER_FILE } from './recorded-track.ts'

const FIRST_ROOM = 1024

/** A point as a file has it. Fields that it lacks, or that cannot be read, are undefined. */
export type FilePoint = { timeMs?: number | undefined } & { [Column in ValueColumn]?: number | string | undefined }

/** Counts the points of a file, in all its tracks. */
export type PointAllowance = { left: number }

export function newPointAllowance(): PointAllowance {
  return { left: MAX_POINTS_PER_FILE }
}

/** Collects the points of one track as columns. What is no point at a time on the globe is counted and left out. */
export class PointCollector {
  readonly #allowance: PointAllowance
  #columns = emptyColumns(FIRST_ROOM)
  #count = 0
  #leftOut = 0

  constructor(allowance: PointAllowance) {
    this.#allowance = allowance
  }

  get count(): number {
    return this.#count
  }

  get leftOutCount(): number {
    return this.#leftOut
  }

  /**
   * Adds a point. An optional value that the service could not store, such as a heading of 400°, is taken as absent.
   * @throws ImportFileError for more points than a file may have
   */
  add(point: FilePoint): void {
    if (this.#allowance.left-- <= 0) {
      throw new ImportFileError('too_much', `has more than ${MAX_POINTS_PER_FILE.toLocaleString('en')} points`)
    }
    const { timeMs = Number.NaN } = point
    const isPlaced = NUMBER_FIELDS.every((field) => !field.isRequired || isWithin(point[field.column], field))
    if (!isPlaced || !isWritableTime(timeMs)) {
      this.#leftOut++
      return
    }
    const columns = this.#withRoom()
    const at = this.#count++
    columns.timeMs[at] = Math.trunc(timeMs)
    for (const field of NUMBER_FIELDS) {
      const value = point[field.column]
      columns[field.column][at] = isWithin(value, field) ? value : Number.NaN
    }
    for (const { column, choices } of CHOICE_FIELDS) {
      columns[column][at] = (choices as readonly unknown[]).indexOf(point[column]) + 1
    }
  }

  /** Returns the points in canonical order. */
  points(): PointColumns {
    return sortPoints(sliceColumns(this.#columns, 0, this.#count))
  }

  #withRoom(): PointColumns {
    if (this.#count === this.#columns.count) this.#columns = copied(this.#columns, 2 * this.#count)
    return this.#columns
  }
}

function copied(from: PointColumns, room: number): PointColumns {
  const to = emptyColumns(room)
  to.timeMs.set(from.timeMs)
  for (const { column } of NUMBER_FIELDS) to[column].set(from[column])
  for (const { column } of CHOICE_FIELDS) to[column].set(from[column])
  return to
}

type Bounds = { readonly min?: number; readonly max?: number }

function isWithin(value: unknown, { min, max }: Bounds): value is number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false
  return (min === undefined || value >= min) && (max === undefined || value <= max)
}
