import Type, { type Static } from 'typebox'
import { createFields, credentialFields, textField } from '#platform/credentials/schemas.ts'
import { nullableText } from '#platform/http/nullable.ts'
import { DEFAULT_PERMISSIONS, PERMISSIONS } from '../model/fields.ts'
import { moment, WORKSPACE_ID } from '../model/schemas.ts'

export const KeyParams = Type.Object({
  id: Type.String({ description: "The workspace's `id`.", examples: [WORKSPACE_ID] }),
  keyId: Type.String({ description: "The key's `id`.", examples: ['9f86d081884c7d659a2feaa0c55ad015'] }),
})

const names = {
  noun: 'key',
  permissions: PERMISSIONS,
  permissionsHelp: '`publish` does everything with the workspace, `read` lists its publications.',
}

const { id, label, ...state } = credentialFields({
  ...names,
  defaultPermissions: DEFAULT_PERMISSIONS,
  labelExample: 'Website',
  firstHelp:
    'Whether the workspace began with the key, or it replaced such a one. Only these end when the key is replaced.',
  moment,
})

const keyFields = {
  id,
  label,
  masked: nullableText({
    description: 'Beginning and end of the key; null if it was created with another secret.',
    examples: ['pub_Zm9v…YmFy'],
  }),
  ...state,
}

export const ApiKey = Type.Object(keyFields, { title: 'ApiKey' })
export type ApiKey = Static<typeof ApiKey>

export const ApiKeyList = Type.Object({ keys: Type.Array(ApiKey) }, { title: 'ApiKeyList' })
export type ApiKeyList = Static<typeof ApiKeyList>

export const ShownApiKey = Type.Object(
  { ...keyFields, api_key: textField('key', 'pub_Zm9vYmFy') },
  { title: 'ShownApiKey' },
)
export type ShownApiKey = Static<typeof ShownApiKey>

export const ApiKeyCreate = Type.Object(
  createFields({
    ...names,
    labelExamples: ['Website'],
    choiceHelp: 'What the key may do. Default: everything.',
    choiceExample: ['read'],
    endHelp: 'Default: without an end.',
  }),
  { title: 'ApiKeyCreate' },
)
export type ApiKeyCreate = Static<typeof ApiKeyCreate>
