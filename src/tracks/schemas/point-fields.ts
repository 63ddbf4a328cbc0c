import Type, { type TSchema, type TUnsafe } from 'typebox'
import { FIELDS, type NumberField, VALUE_FIELDS } from '../points/point-fields.ts'
import type { PointValues } from '../points/point-values.ts'

type Properties = Record<string, TSchema>

/** Properties of a point as a device sends it; an optional field may be absent or null. */
export const SENT_FIELDS: Properties = Object.fromEntries(
  FIELDS.map((field) => {
    const { key, description, example } = field
    const options = { description, examples: [example] }
    if (field.kind === 'time') return [key, Type.String({ format: 'date-time', ...options })]
    if (field.kind === 'choice') return [key, Type.Optional(nullableChoice(field.choices, options))]
    const bounded = { ...boundsOf(field), ...options }
    return [key, field.isRequired ? Type.Number(bounded) : Type.Optional(nullable('number', bounded))]
  }),
)

/** Properties of a point as it is listed: an optional field may be absent. */
export const LISTED_FIELDS: Properties = Object.fromEntries(
  FIELDS.filter(({ kind }) => kind !== 'choice').map((field) => {
    const { key, description, example } = field
    if (field.kind === 'time') return [key, timestamp()]
    const number = Type.Number({ description, examples: [example] })
    return [key, field.kind === 'number' && field.isRequired ? number : Type.Optional(number)]
  }),
)

/** Properties of a point with all its fields but the time; null for those that were not sent. */
export const NULLABLE_FIELDS = Object.fromEntries(
  VALUE_FIELDS.map((field) => {
    const { key, description, example } = field
    const options = { description, examples: [example] }
    if (field.kind === 'choice') return [key, nullableChoice(field.choices, options)]
    return [key, field.isRequired ? Type.Number(options) : nullable('number', options)]
  }),
) as { [Key in keyof PointValues]: TUnsafe<PointValues[Key]> }

/** The time of a point in an answer. */
export function timestamp() {
  return Type.String({
    format: 'date-time',
    description: 'In UTC, with milliseconds.',
    examples: ['2026-05-03T06:15:00.000Z'],
  })
}

function nullable(type: string, options: object) {
  return Type.Unsafe<unknown>({ type: [type, 'null'], ...options })
}

function nullableChoice(choices: readonly string[], options: object) {
  return nullable('string', { enum: [...choices, null], ...options })
}

function boundsOf({ min, max }: NumberField) {
  return { ...(min !== undefined && { minimum: min }), ...(max !== undefined && { maximum: max }) }
}
