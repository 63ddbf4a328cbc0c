import Type, { type Static } from 'typebox'
import { PUBLICATION_ID, WORKSPACE_ID } from './fields.ts'

export const WorkspaceParams = Type.Object({
  id: Type.String({ description: "The workspace's `id`.", examples: [WORKSPACE_ID] }),
})
export type WorkspaceParams = Static<typeof WorkspaceParams>
export const PublicationParams = Type.Object({
  id: Type.String({ description: "The publication's `id`.", examples: [PUBLICATION_ID] }),
})
export type PublicationParams = Static<typeof PublicationParams>
