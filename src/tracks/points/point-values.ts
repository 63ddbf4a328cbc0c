import type { PointColumns } from './point-columns.ts'
import {
  type NamedChoiceField,
  type NamedNumberField,
  type PointFields,
  VALUE_FIELDS,
  type ValueColumn,
} from './point-fields.ts'

/** The fields of one point but its time, by their names in JSON; null for those that were not sent. */
export type PointValues = {
  [Column in ValueColumn as PointFields[Column]['key']]: ValueOf<PointFields[Column]>
}

type ValueOf<Field> = Field extends { kind: 'choice'; choices: readonly (infer Choice)[] }
  ? Choice | null
  : Field extends { isRequired: true }
    ? number
    : number | null

/** Returns the value of a field of point `i`: a number, a word, or null where the point has none. */
export function fieldValue(
  points: PointColumns,
  i: number,
  field: NamedNumberField | NamedChoiceField,
): number | string | null {
  const value = points[field.column][i]
  if (field.kind === 'choice') return field.choices[value - 1] ?? null
  return Number.isNaN(value) ? null : value
}

/** Returns all fields of point `i` but its time. */
export function pointValues(points: PointColumns, i: number): PointValues {
  const values = VALUE_FIELDS.map((field) => [field.key, fieldValue(points, i, field)])
  return Object.fromEntries(values) as PointValues
}
