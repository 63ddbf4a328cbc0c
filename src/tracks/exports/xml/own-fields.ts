import {
  type NamedChoiceField,
  type NamedNumberField,
  VALUE_FIELDS,
  type ValueColumn,
} from '../../points/point-fields.ts'
import { fieldValue } from '../../points/point-values.ts'
import type { PointSlice } from '../track/exported-track.ts'
import { element } from './xml-text.ts'

/**
 * Returns a function that writes those fields of a point that a format has no place for as elements of our own
 * namespace, under their names in the API.
 * @param standard the columns that the format has a place for
 */
export function createOwnFields(standard: readonly ValueColumn[]): (points: PointSlice, i: number) => string {
  const own: readonly (NamedNumberField | NamedChoiceField)[] = VALUE_FIELDS.filter(
    ({ column }) => !standard.includes(column),
  )
  return (points, i) => {
    let text = ''
    for (const field of own) text += element(`trackpress:${field.key}`, fieldValue(points, i, field))
    return text
  }
}
