import Type, { type Static } from 'typebox'
import { nullableText } from '#platform/http/field-rules.ts'
import { nullableInteger, nullableMoment } from '../model/schema-fields.ts'

export const status = Type.Unsafe<'dnf' | 'dns' | 'dsq' | 'over_limit' | null>({
  type: ['string', 'null'],
  enum: ['dnf', 'dns', 'dsq', 'over_limit', null],
  description: 'Did not finish, did not start, disqualified, over the time limit; null for none of them.',
  examples: [null],
})
export const statusDetails = {
  status_at: nullableMoment('Time of the status, such as that of giving up; null if it is not known.'),
  status_place: nullableText({ description: 'Place of the status; null if it is not known.', examples: ['Menthon'] }),
}
export const category = nullableText({ description: 'Category; null for none.', examples: ['F40'] })

const phone = nullableText({ description: 'Phone number; null if it is not known.', examples: ['+33 6 12 34 56 78'] })

export const Runner = Type.Object(
  {
    user_id: Type.String({ description: "The `user_id` of the runner's tracks.", examples: ['anna@example.org'] }),
    bib: Type.String({ examples: ['117'] }),
    name: Type.String({ examples: ['Anna Martin'] }),
    category,
    status,
    ...statusDetails,
  },
  { title: 'Runner', description: 'A runner of the start list.' },
)
export type Runner = Static<typeof Runner>

export const RunnerList = Type.Object(
  {
    runners: Type.Array(Runner, { description: 'In the order of the start list.' }),
    ignored_columns: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Columns of a CSV file that was only checked of which nothing is read, as its header names them.',
        examples: [['club', 'year']],
      }),
    ),
  },
  { title: 'RunnerList' },
)
export type RunnerList = Static<typeof RunnerList>

export const RunnersUpdate = Type.Object(
  {
    runners: Type.Array(
      Type.Object(
        {
          user_id: Type.Optional(Type.String({ description: 'Default: the bib.', examples: ['anna@example.org'] })),
          bib: Type.String({ examples: ['117'] }),
          name: Type.String({ examples: ['Anna Martin'] }),
          category: Type.Optional(category),
          phone: Type.Optional(phone),
          status: Type.Optional(status),
        },
        { title: 'RunnerEntry' },
      ),
      { description: 'The whole start list. It replaces the one before.' },
    ),
  },
  { title: 'RunnersUpdate' },
)
export type RunnersUpdate = Static<typeof RunnersUpdate>

export const RunnersQuery = Type.Object({
  check: Type.Optional(
    Type.Enum(['true', 'false'] as const, {
      description: 'With `true`, nothing is stored: the answer is the start list as it was read. Default `false`.',
    }),
  ),
})
export type RunnersQuery = Static<typeof RunnersQuery>

const Participant = Type.Object(
  {
    ...Runner.properties,
    phone,
    has_token: Type.Boolean({ description: 'True if the runner has a valid app token.', examples: [true] }),
    token_used_at: nullableMoment('Latest use of the token, to the minute; null while it is unused.'),
    track_id: nullableText({
      description: 'The latest track of the runner; null without one.',
      examples: ['0b51a2de-6f0c-4f2b-9f0e-5f6c8d1e2a77'],
    }),
    last_point_at: nullableMoment('Time of its last point.'),
    battery_percent: nullableInteger({
      description: 'Charge of the phone at its last points; null if it is not known.',
      examples: [82],
    }),
  },
  { title: 'Participant', description: 'A runner of the start list, and the state of the phone.' },
)

export const ParticipantList = Type.Object(
  { participants: Type.Array(Participant, { description: 'In the order of the start list.' }) },
  { title: 'ParticipantList' },
)
export type ParticipantList = Static<typeof ParticipantList>

export const RunnerCreate = Type.Object(
  {
    user_id: Type.Optional(Type.String({ description: 'Default: the bib.', examples: ['anna@example.org'] })),
    bib: Type.String({ examples: ['117'] }),
    name: Type.String({ examples: ['Anna Martin'] }),
    category: Type.Optional(category),
    phone: Type.Optional(phone),
  },
  { title: 'RunnerCreate' },
)
export type RunnerCreate = Static<typeof RunnerCreate>

export const RunnerRemoval = Type.Object(
  { user_id: Type.String({ description: "The runner's `user_id`.", examples: ['anna@example.org'] }) },
  { title: 'RunnerRemoval' },
)
export type RunnerRemoval = Static<typeof RunnerRemoval>

export const RunnerStatusUpdate = Type.Object({ status }, { title: 'RunnerStatusUpdate' })
export type RunnerStatusUpdate = Static<typeof RunnerStatusUpdate>

export const RunnerUpdate = Type.Object(
  {
    user_id: Type.String({ description: "The runner's `user_id`.", examples: ['anna@example.org'] }),
    bib: Type.Optional(Type.String({ examples: ['117'] })),
    name: Type.Optional(Type.String({ examples: ['Anna Martin'] })),
    category: Type.Optional(category),
    phone: Type.Optional(phone),
    status: Type.Optional(status),
    status_at: Type.Optional(
      nullableText({
        format: 'date-time',
        description: 'Time of the status. Default: none.',
        examples: ['2026-05-03T12:40:00+02:00'],
      }),
    ),
    status_place: Type.Optional(
      nullableText({ maxLength: 100, description: 'Place of the status. Default: none.', examples: ['Menthon'] }),
    ),
  },
  { title: 'RunnerUpdate' },
)
export type RunnerUpdate = Static<typeof RunnerUpdate>
