import Type, { type Static } from 'typebox'
import { createFields, credentialFields, keepField, textField } from '#platform/credentials/schemas.ts'
import { nullableText } from '#platform/http/field-rules.ts'
import { DEFAULT_PERMISSIONS, PERMISSIONS } from '../model/event-rules.ts'
import { moment } from '../model/schema-fields.ts'

const names = {
  noun: 'token',
  permissions: PERMISSIONS,
  permissionsHelp:
    '`record` creates, changes and finishes tracks and adds points, `read` gets tracks and points, `manage` deletes tracks.',
}

const DEFAULT_END =
  'Default: a token with a `user_id` ends with the last day of the event, and after a day at the earliest; others, and those of an event without a last day, have no end.'

const { id, label, permissions, ...state } = credentialFields({
  ...names,
  defaultPermissions: DEFAULT_PERMISSIONS,
  labelExample: 'Timing team',
  firstHelp:
    'Whether the event began with the token, or it replaced such a one. Only these end when tokens are replaced.',
  moment,
})

const tokenFields = {
  id,
  label,
  masked: Type.String({ description: 'Beginning and end of the token.', examples: ['trk_Zm9v…YmFy'] }),
  permissions,
  user_id: nullableText({
    description: 'The one person whose tracks the token opens; null for all tracks of the event.',
    examples: ['runner-42'],
  }),
  ...state,
}

export const AppToken = Type.Object(tokenFields, { title: 'AppToken' })
export type AppToken = Static<typeof AppToken>

export const AppTokenList = Type.Object({ tokens: Type.Array(AppToken) }, { title: 'AppTokenList' })
export type AppTokenList = Static<typeof AppTokenList>

export const ShownAppToken = Type.Object(
  {
    ...tokenFields,
    token: textField('token', 'trk_Zm9v…'),
  },
  { title: 'ShownAppToken' },
)
export type ShownAppToken = Static<typeof ShownAppToken>

const { keep_sec, ...choice } = createFields({
  ...names,
  choiceHelp: 'What the token may do. Default: `record` and `read`. A token with `user_id` cannot have `manage`.',
  choiceExample: ['record', 'read'],
  endHelp: DEFAULT_END,
})

export const AppTokenCreate = Type.Object(
  {
    ...choice,
    user_id: Type.Optional(
      nullableText({
        minLength: 1,
        maxLength: 255,
        description: 'The one person whose tracks the token opens. Default: it opens all tracks of the event.',
        examples: ['runner-42'],
      }),
    ),
    keep_sec,
    never_expires: Type.Optional(
      Type.Boolean({ description: 'True for a token without an end, together with no `keep_sec`.', examples: [false] }),
    ),
  },
  { title: 'AppTokenCreate' },
)
export type AppTokenCreate = Static<typeof AppTokenCreate>

export const AppTokenRotate = Type.Object(
  {
    keep_sec: keepField('Seconds until the other first tokens end. Default: at once.'),
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
