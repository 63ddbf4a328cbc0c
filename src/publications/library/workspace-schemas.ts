import Type, { type Static } from 'typebox'
import { keepField } from '#platform/credentials/schemas.ts'
import { ruledBy } from '#platform/http/field-rules.ts'
import { type Nullable, nullableText } from '#platform/http/nullable.ts'
import { MAX_WORKSPACE_NAME_LENGTH, workspaceNameProblem } from '../model/fields.ts'
import { count, moment, nullableCount, WORKSPACE_ID } from '../model/schemas.ts'

const workspaceName = Type.String({
  ...ruledBy(workspaceNameProblem),
  description: `1 to ${MAX_WORKSPACE_NAME_LENGTH} characters; surrounding white space is removed.`,
  examples: ['Communication'],
})

const limits = {
  max_bytes: nullableCount({
    description: 'Maximum of `stored_bytes`; null for no limit. Tickets and uploads beyond it are refused with 403.',
    examples: [10_000_000_000],
  }),
  max_publications: nullableCount({
    description: 'Maximum of `publications_count`; null for no limit. Further publications are refused with 403.',
    examples: [500],
  }),
}

export const WorkspaceCreate = Type.Object({ name: workspaceName }, { title: 'WorkspaceCreate' })
export type WorkspaceCreate = Static<typeof WorkspaceCreate>

export const WorkspaceUpdate = Type.Partial(Type.Object({ name: workspaceName, ...limits }), {
  title: 'WorkspaceUpdate',
  description: 'Absent members stay as they are; null removes a limit.',
})
export type WorkspaceUpdate = Static<typeof WorkspaceUpdate>

const workspaceFields = {
  id: Type.String({ format: 'uuid', examples: [WORKSPACE_ID] }),
  name: Type.String({ examples: ['Communication'] }),
  created_at: moment('Time of creation.'),
  publications_count: count('Number of publications, including unpublished ones.', 12),
  processing_count: count('Number of publications that are being rendered.', 1),
  stored_bytes: count('Size of its uploaded PDFs, in bytes.', 48_211_300),
  ...limits,
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
    description:
      'The key in plain text; null if there is none, or if it was created with another secret and cannot be shown.',
    examples: ['pub_Zm9vYmFy'],
  }),
  created_at: Type.Unsafe<Nullable<string>>({
    ...moment('Time of creation; null if there is no key.'),
    type: ['string', 'null'],
  }),
  ending: Type.Array(
    Type.Object(
      {
        masked: nullableText({ description: 'Beginning and end of the key.', examples: ['pub_Zm9v…YmFy'] }),
        created_at: moment('Time of creation.'),
        expires_at: moment('End of the key.'),
      },
      { title: 'EndingKey' },
    ),
    { description: 'Earlier keys that are still valid.' },
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
    api_key: Type.String({ description: 'The first API key in plain text.', examples: ['pub_Zm9vYmFy'] }),
  },
  { title: 'WorkspaceCreated', description: 'The workspace with its first API key.' },
)
export type CreatedWorkspace = Static<typeof CreatedWorkspace>

export const WorkspaceKeyRotate = Type.Object(
  { keep_sec: keepField('Seconds until the other keys end; 0 by default.') },
  { title: 'WorkspaceKeyRotate' },
)
