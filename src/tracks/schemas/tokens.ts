import Type, { type Static } from 'typebox'
import { DEFAULT_PERMISSIONS, PERMISSIONS, type Permission } from '../domain/permission.ts'
import { moment, type Nullable, nullableInteger, nullableMoment, nullableText } from './fields.ts'

const permission = Type.Enum(PERMISSIONS, {
  description:
    '`record` creates, changes and finishes tracks and adds points, `read` gets tracks and points, `manage` deletes tracks.',
})

const DEFAULT_END =
  'Default: a token with a `user_id` ends with the last day of the event, and after a day at the earliest; others, and those of an event without a last day, have no end.'

const tokenFields = {
  id: Type.String({
    description: 'Identifies the token. It gives no access.',
    examples: ['9f86d081884c7d659a2feaa0c55ad015'],
  }),
  label: nullableText({ description: 'Owner or purpose; null if not set.', examples: ['Timing team'] }),
  masked: Type.String({ description: 'Beginning and end of the token.', examples: ['trk_Zm9v…YmFy'] }),
  permissions: Type.Array(permission, { description: 'What the token may do.', examples: [[...DEFAULT_PERMISSIONS]] }),
  user_id: nullableText({
    description: 'The one person whose tracks the token opens; null for all tracks of the event.',
    examples: ['runner-42'],
  }),
  is_first: Type.Boolean({
    description:
      'Whether the event began with the token, or it replaced such a one. Only these end when tokens are replaced.',
    examples: [false],
  }),
  created_at: moment('Time of creation.'),
  expires_at: nullableMoment('End of the token; null without an end.'),
  last_used_at: nullableMoment('Time of the latest use, to the minute; null if unused.'),
}

export const AppToken = Type.Object(tokenFields, { title: 'AppToken' })
export type AppToken = Static<typeof AppToken>

export const AppTokenList = Type.Object({ tokens: Type.Array(AppToken) }, { title: 'AppTokenList' })
export type AppTokenList = Static<typeof AppTokenList>

export const ShownAppToken = Type.Object(
  {
    ...tokenFields,
    token: nullableText({
      description: 'The token in plain text; null if it was created with another secret.',
      examples: ['trk_Zm9v…'],
    }),
  },
  { title: 'ShownAppToken' },
)
export type ShownAppToken = Static<typeof ShownAppToken>

export const AppTokenCreate = Type.Object(
  {
    label: Type.Optional(nullableText({ maxLength: 200, description: 'Owner or purpose.' })),
    permissions: Type.Optional(
      Type.Unsafe<Nullable<Permission[]>>({
        type: ['array', 'null'],
        items: permission,
        minItems: 1,
        description:
          'What the token may do. Default: `record` and `read`. A token with `user_id` cannot have `manage`.',
        examples: [['record', 'read']],
      }),
    ),
    user_id: Type.Optional(
      nullableText({
        minLength: 1,
        maxLength: 255,
        description: 'The one person whose tracks the token opens. Default: it opens all tracks of the event.',
        examples: ['runner-42'],
      }),
    ),
    keep_sec: Type.Optional(
      nullableInteger({
        minimum: 1,
        maximum: 10 * 365 * 86_400,
        description: `Lifetime of the token in seconds. ${DEFAULT_END}`,
        examples: [7 * 86_400],
      }),
    ),
    never_expires: Type.Optional(
      Type.Boolean({ description: 'True for a token without an end, together with no `keep_sec`.', examples: [false] }),
    ),
  },
  { title: 'AppTokenCreate' },
)
export type AppTokenCreate = Static<typeof AppTokenCreate>

export const AppTokenRotate = Type.Object(
  {
    keep_sec: Type.Optional(
      nullableInteger({
        minimum: 0,
        maximum: 365 * 86_400,
        description: 'Seconds until the other first tokens end. Default: at once.',
        examples: [86_400],
      }),
    ),
    label: Type.Optional(nullableText({ maxLength: 200, description: 'Label of the new token.' })),
  },
  { title: 'AppTokenRotate' },
)
export type AppTokenRotate = Static<typeof AppTokenRotate>

const participant = {
  user_id: Type.String({ description: "The `user_id` of the participant's tracks.", examples: ['anna@example.org'] }),
  name: nullableText({ description: 'Shown below the QR code; null if not set.', examples: ['Anna Martin'] }),
}

export const ParticipantTokensCreate = Type.Object(
  {
    participants: Type.Array(
      Type.Object({ ...participant, name: Type.Optional(participant.name) }, { title: 'ParticipantEntry' }),
      { description: 'The people who get a token, at most 5,000.' },
    ),
  },
  { title: 'ParticipantTokensCreate' },
)
export type ParticipantTokensCreate = Static<typeof ParticipantTokensCreate>

export const ParticipantTokensQuery = Type.Object({
  check: Type.Optional(
    Type.Enum(['true', 'false'] as const, {
      description: 'With `true`, nothing is stored: the answer is the list as it was read. Default `false`.',
    }),
  ),
  keep_sec: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10 * 365 * 86_400,
      description: `Lifetime of the tokens in seconds. ${DEFAULT_END}`,
      examples: [7 * 86_400],
    }),
  ),
  never_expires: Type.Optional(
    Type.Enum(['true', 'false'] as const, {
      description: 'With `true`, the tokens have no end, together with no `keep_sec`. Default `false`.',
    }),
  ),
})
export type ParticipantTokensQuery = Static<typeof ParticipantTokensQuery>

export const CheckedParticipants = Type.Object(
  {
    participants: Type.Array(
      Type.Object(
        {
          ...participant,
          has_token: Type.Boolean({ description: 'Whether a valid token exists already.', examples: [false] }),
        },
        { title: 'CheckedParticipant' },
      ),
    ),
  },
  { title: 'CheckedParticipants', description: 'A list of participants as it was read. Nothing was stored.' },
)
export type CheckedParticipants = Static<typeof CheckedParticipants>

export const ParticipantTokens = Type.Object(
  { tokens: Type.Array(ShownAppToken, { description: 'By name, and those without one by `user_id`.' }) },
  { title: 'ParticipantTokens' },
)
export type ParticipantTokens = Static<typeof ParticipantTokens>

export const ParticipantTokensCreated = Type.Object(
  {
    tokens: Type.Array(ShownAppToken, { description: 'The tokens that were created, in the order of the list.' }),
    known_count: Type.Integer({
      description: 'Number of people in the list who had a valid token already. They keep it.',
      examples: [0],
    }),
  },
  { title: 'ParticipantTokensCreated' },
)
export type ParticipantTokensCreated = Static<typeof ParticipantTokensCreated>
