import Type, { type Static } from 'typebox'
import { DEFAULT_PERMISSIONS, PERMISSIONS, type Permission } from '../domain/permission.ts'
import { moment, type Nullable, nullableInteger, nullableMoment, nullableText } from './fields.ts'

const permission = Type.Enum(PERMISSIONS, {
  description:
    '`record` creates, changes and finishes tracks and adds points, `read` gets tracks and points, `manage` deletes tracks.',
})

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
        description: 'Lifetime of the token in seconds. Default: without an end.',
        examples: [7 * 86_400],
      }),
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
