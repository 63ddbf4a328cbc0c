import Type, { type Static } from 'typebox'
import { moment, nullableInteger, nullableMoment, nullableText } from './fields.ts'

const tokenFields = {
  id: Type.String({
    description: 'Identifies the token. It gives no access.',
    examples: ['9f86d081884c7d659a2feaa0c55ad015'],
  }),
  label: nullableText({ description: 'Owner or purpose; null if not set.', examples: ['Timing team'] }),
  masked: Type.String({ description: 'Beginning and end of the token.', examples: ['trk_Zm9v…YmFy'] }),
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
  { label: Type.Optional(nullableText({ maxLength: 200, description: 'Owner or purpose.' })) },
  { title: 'AppTokenCreate' },
)
export type AppTokenCreate = Static<typeof AppTokenCreate>

export const AppTokenRotate = Type.Object(
  {
    keep_sec: Type.Optional(
      nullableInteger({
        minimum: 0,
        maximum: 365 * 86_400,
        description: 'Seconds until the other tokens end. Default: at once.',
        examples: [86_400],
      }),
    ),
    label: Type.Optional(nullableText({ maxLength: 200, description: 'Label of the new token.' })),
  },
  { title: 'AppTokenRotate' },
)
export type AppTokenRotate = Static<typeof AppTokenRotate>
