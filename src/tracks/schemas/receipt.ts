import Type, { type Static } from 'typebox'

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
