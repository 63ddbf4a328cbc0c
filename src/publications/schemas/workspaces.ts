import Type, { type Static } from 'typebox'
import { count, moment, type Nullable, nullableText, WORKSPACE_ID } from './fields.ts'

export const MAX_WORKSPACE_NAME_LENGTH = 200

const workspaceName = Type.String({
  minLength: 1,
  maxLength: MAX_WORKSPACE_NAME_LENGTH,
  description: 'What people call it; white space around it is taken off.',
  examples: ['Communication'],
})

export const NewWorkspace = Type.Object({ name: workspaceName }, { title: 'WorkspaceCreate' })
export type NewWorkspace = Static<typeof NewWorkspace>

export const WorkspaceChange = Type.Partial(NewWorkspace, {
  title: 'WorkspaceUpdate',
  description: 'What is left out stays.',
})
export type WorkspaceChange = Static<typeof WorkspaceChange>

const workspaceFields = {
  id: Type.String({ format: 'uuid', examples: [WORKSPACE_ID] }),
  name: Type.String({ examples: ['Communication'] }),
  created_at: moment('When it was made.'),
  publications_count: count('Its publications, those withdrawn included.', 12),
  processing_count: count('Those of them whose pages are still being rendered.', 1),
  stored_bytes: count('Bytes of the PDFs that were uploaded to it.', 48_211_300),
}

export const OperatorWorkspace = Type.Object(workspaceFields, { title: 'OperatorWorkspace' })
export type OperatorWorkspace = Static<typeof OperatorWorkspace>

export const OperatorWorkspaceList = Type.Object(
  { workspaces: Type.Array(OperatorWorkspace) },
  { title: 'OperatorWorkspaceList' },
)
export type OperatorWorkspaceList = Static<typeof OperatorWorkspaceList>

const keyFields = {
  api_key: nullableText({
    description: 'In plain text; null where none is left, or it was made under another secret and cannot be shown.',
    examples: ['pub_Zm9vYmFy'],
  }),
  created_at: Type.Unsafe<Nullable<string>>({
    ...moment('When the key was made; null where none is left.'),
    type: ['string', 'null'],
  }),
  ending: Type.Array(
    Type.Object(
      {
        masked: nullableText({ description: 'Its beginning and its end.', examples: ['pub_Zm9v…YmFy'] }),
        created_at: moment('When it was made.'),
        expires_at: moment('When it ends.'),
      },
      { title: 'EndingKey' },
    ),
    { description: 'Keys from before that are good for a while yet.' },
  ),
}

export const WorkspaceKey = Type.Object(keyFields, {
  title: 'WorkspaceKey',
  description: 'The newest API key of a workspace.',
})
export type WorkspaceKey = Static<typeof WorkspaceKey>

export const CreatedWorkspace = Type.Object(
  {
    ...workspaceFields,
    api_key: Type.String({ description: 'Its first API key in plain text.', examples: ['pub_Zm9vYmFy'] }),
  },
  { title: 'WorkspaceCreated', description: 'The workspace with its first API key.' },
)
export type CreatedWorkspace = Static<typeof CreatedWorkspace>

export const KeyRotation = Type.Object(
  {
    keep_sec: Type.Optional(
      Type.Unsafe<Nullable<number>>({
        type: ['integer', 'null'],
        minimum: 0,
        maximum: 365 * 86_400,
        description: 'The other keys end after so many seconds; at once by default.',
        examples: [86_400],
      }),
    ),
  },
  { title: 'WorkspaceKeyRotate' },
)
export type KeyRotation = Static<typeof KeyRotation>
