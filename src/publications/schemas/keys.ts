import Type, { type Static } from 'typebox'
import { DEFAULT_PERMISSIONS, PERMISSIONS, type Permission } from '../domain/permission.ts'
import { moment, type Nullable, nullableText, WORKSPACE_ID } from './fields.ts'

const permission = Type.Enum(PERMISSIONS, {
  description: '`publish` does everything with the workspace, `read` lists its publications.',
})

const nullableMoment = (description: string) =>
  Type.Unsafe<Nullable<string>>({ ...moment(description), type: ['string', 'null'] })

export const KeyParams = Type.Object({
  id: Type.String({ description: "The workspace's `id`.", examples: [WORKSPACE_ID] }),
  keyId: Type.String({ description: "The key's `id`.", examples: ['9f86d081884c7d659a2feaa0c55ad015'] }),
})

const keyFields = {
  id: Type.String({
    description: 'Identifies the key. It gives no access.',
    examples: ['9f86d081884c7d659a2feaa0c55ad015'],
  }),
  label: nullableText({ description: 'Owner or purpose; null if not set.', examples: ['Website'] }),
  masked: nullableText({
    description: 'Beginning and end of the key; null if it was created with another secret.',
    examples: ['pub_Zm9v…YmFy'],
  }),
  permissions: Type.Array(permission, { description: 'What the key may do.', examples: [[...DEFAULT_PERMISSIONS]] }),
  is_first: Type.Boolean({
    description:
      'Whether the workspace began with the key, or it replaced such a one. Only these end when the key is replaced.',
    examples: [false],
  }),
  created_at: moment('Time of creation.'),
  expires_at: nullableMoment('End of the key; null without an end.'),
  last_used_at: nullableMoment('Time of the latest use, to the minute; null if unused.'),
}

export const ApiKey = Type.Object(keyFields, { title: 'ApiKey' })
export type ApiKey = Static<typeof ApiKey>

export const ApiKeyList = Type.Object({ keys: Type.Array(ApiKey) }, { title: 'ApiKeyList' })
export type ApiKeyList = Static<typeof ApiKeyList>

export const ShownApiKey = Type.Object(
  {
    ...keyFields,
    api_key: nullableText({
      description: 'The key in plain text; null if it was created with another secret.',
      examples: ['pub_Zm9vYmFy'],
    }),
  },
  { title: 'ShownApiKey' },
)
export type ShownApiKey = Static<typeof ShownApiKey>

export const ApiKeyCreate = Type.Object(
  {
    label: Type.Optional(nullableText({ maxLength: 200, description: 'Owner or purpose.', examples: ['Website'] })),
    permissions: Type.Optional(
      Type.Unsafe<Nullable<Permission[]>>({
        type: ['array', 'null'],
        items: permission,
        minItems: 1,
        description: 'What the key may do. Default: everything.',
        examples: [['read']],
      }),
    ),
    keep_sec: Type.Optional(
      Type.Unsafe<Nullable<number>>({
        type: ['integer', 'null'],
        minimum: 1,
        maximum: 10 * 365 * 86_400,
        description: 'Lifetime of the key in seconds. Default: without an end.',
        examples: [7 * 86_400],
      }),
    ),
  },
  { title: 'ApiKeyCreate' },
)
export type ApiKeyCreate = Static<typeof ApiKeyCreate>
