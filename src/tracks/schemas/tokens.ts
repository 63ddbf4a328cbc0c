import Type, { type Static } from 'typebox'
import { moment, nullableInteger, nullableMoment, nullableText } from './fields.ts'

const tokenFields = {
  id: Type.String({
    description: 'Names the token, and opens nothing.',
    examples: ['9f86d081884c7d659a2feaa0c55ad015'],
  }),
  label: nullableText({ description: 'Whose it is, or for what; null when none.', examples: ['Timing team'] }),
  masked: Type.String({ description: 'Its beginning and its end.', examples: ['trk_Zm9v…YmFy'] }),
  created_at: moment('When it was made.'),
  expires_at: nullableMoment('When it ends; null while nothing ends it.'),
  last_used_at: nullableMoment('Of late, to the minute; null when it was never used.'),
}

export const AppToken = Type.Object(tokenFields, { title: 'AppToken' })
export type AppToken = Static<typeof AppToken>

export const AppTokenList = Type.Object({ tokens: Type.Array(AppToken) }, { title: 'AppTokenList' })
export type AppTokenList = Static<typeof AppTokenList>

export const ShownAppToken = Type.Object(
  {
    ...tokenFields,
    token: nullableText({
      description: 'In plain text; null where it was made under another secret and cannot be shown.',
      examples: ['trk_Zm9v…'],
    }),
  },
  { title: 'ShownAppToken' },
)
export type ShownAppToken = Static<typeof ShownAppToken>

export const NewAppToken = Type.Object(
  { label: Type.Optional(nullableText({ maxLength: 200, description: 'Whose it is, or for what.' })) },
  { title: 'AppTokenCreate' },
)
export type NewAppToken = Static<typeof NewAppToken>

export const TokenRotation = Type.Object(
  {
    keep_sec: Type.Optional(
      nullableInteger({
        minimum: 0,
        maximum: 365 * 86_400,
        description: 'The other tokens end after so many seconds; at once by default.',
        examples: [86_400],
      }),
    ),
    label: Type.Optional(nullableText({ maxLength: 200, description: 'Of the new token.' })),
  },
  { title: 'AppTokenRotate' },
)
export type TokenRotation = Static<typeof TokenRotation>
