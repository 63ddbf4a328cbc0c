import Type, { type Static } from 'typebox'
import { type Nullable, TRACK_ID } from './fields.ts'
import { LEFT_OUT_REASONS } from './operator-track.ts'
import { NULLABLE_FIELDS, timestamp } from './point-fields.ts'

/** Maximum and default `limit` of the raw points. */
const MAX_RAW_POINTS_PER_PAGE = 1000
export const DEFAULT_RAW_POINTS_PER_PAGE = 100

export const RawPoint = Type.Object(
  {
    index: Type.Integer({ description: 'Position in the order of time, from 0.', examples: [0] }),
    timestamp: timestamp(),
    ...NULLABLE_FIELDS,
    left_out: Type.Unsafe<Nullable<(typeof LEFT_OUT_REASONS)[number]>>({
      type: ['string', 'null'],
      enum: [...LEFT_OUT_REASONS, null],
      description: 'Why statistics leave the point out; null if they use it.',
      examples: [null],
    }),
  },
  { title: 'RawPoint', description: 'A point as it was sent; null for fields that were not.' },
)
export type RawPoint = Static<typeof RawPoint>

export const RawPointList = Type.Object(
  {
    track_id: Type.String({ examples: [TRACK_ID] }),
    total: Type.Integer({ description: 'Number of stored points.', examples: [567] }),
    points: Type.Array(RawPoint),
  },
  { title: 'RawPointList' },
)
export type RawPointList = Static<typeof RawPointList>

export const RawPointsQuery = Type.Object({
  from: Type.Optional(
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'First index, default 0.' }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_RAW_POINTS_PER_PAGE,
      description: `Default ${DEFAULT_RAW_POINTS_PER_PAGE}.`,
    }),
  ),
})
export type RawPointsQuery = Static<typeof RawPointsQuery>
