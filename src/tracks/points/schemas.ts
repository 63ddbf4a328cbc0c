import Type, { type Static, type TSchema, type TUnsafe } from 'typebox'
import { nullable } from '#platform/http/field-rules.ts'
import type { RejectedPoints } from './check-point.ts'
import type { PointValues } from './point-columns.ts'
import { FIELDS, type NumberField, VALUE_FIELDS } from './point-fields.ts'

/** Maximum points per `POST /tracks/:id/points`. */
export const MAX_POINTS_PER_REQUEST = 10_000
/** Maximum points per `POST /sync`. */
export const MAX_POINTS_PER_SYNC = 50_000

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

/** Properties of a point with all its fields but the time; null for absent ones. */
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

function nullableChoice(choices: readonly string[], options: object) {
  return nullable('string', { enum: [...choices, null], ...options })
}

function boundsOf({ min, max }: NumberField) {
  return { ...(min !== undefined && { minimum: min }), ...(max !== undefined && { maximum: max }) }
}

const count = (description: string, example: number) => Type.Integer({ minimum: 0, description, examples: [example] })

const RejectedPoint = Type.Object(
  {
    index: count('Position of the point in the request, from 0.', 4),
    errors: Type.Array(
      Type.Object(
        {
          path: Type.String({ description: 'Field; empty for a point that is no object.', examples: ['heading'] }),
          message: Type.String({ description: 'Requirement on the value.', examples: ['must be <= 360'] }),
        },
        { title: 'RejectedPointError' },
      ),
    ),
  },
  { title: 'RejectedPoint', description: 'A point that was left out, and why.' },
)

export const PointsReceipt = Type.Object(
  {
    received: count('Points in the request: the sum of the other three counts.', 12),
    stored: count('Points that are on disk because of this request.', 9),
    known: count('Points that had been stored before.', 2),
    rejected_count: count('Points left out because they break a rule.', 1),
    rejected: Type.Array(RejectedPoint, { description: 'The first 100 points left out, in the order sent.' }),
  },
  { title: 'PointsReceipt', description: 'A receipt for the points of a request.' },
)
export type PointsReceipt = Static<typeof PointsReceipt>

/** Returns the receipt for `validCount` points, of which `storedCount` were new, and for those left out. */
export function pointsReceipt(validCount: number, storedCount: number, rejected: RejectedPoints): PointsReceipt {
  return {
    received: validCount + rejected.count,
    stored: storedCount,
    known: validCount - storedCount,
    rejected: rejected.listed,
    rejected_count: rejected.count,
  }
}
