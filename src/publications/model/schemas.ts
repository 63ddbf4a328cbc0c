import Type, { type Static } from 'typebox'
import { nullable, nullableText } from '#platform/http/field-rules.ts'

// Kinds of fields that the schemas of the operator endpoints share. The dashboard takes its types from these schemas.

export const WORKSPACE_ID = '2f6b1f0e-8d5a-4a52-9a5d-0c9b7c6a1e34'
const PUBLICATION_ID = '0b51a2de-6f0c-4f2b-9f0e-5f6c8d1e2a77'
export const STORAGE_KEY = '7c0e3c1a-52a1-4c8e-9d0b-3f1f6f0a2b9d'
export const VERSION_ID = 'c1b2a3d4-0f1e-4d2c-8b3a-4958677685a4'
export const COLLECTION_ID = '5d1c9f0a-3b7e-4c59-8f21-6a0d4e9b7c52'
export const TITLE = 'Annual Report 2026'
export const SLUG = 'annual-report-2026'
export const IMAGE = `/operator/publications/${PUBLICATION_ID}/pages/1/image?version=${VERSION_ID}`

export const moment = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-05-03T07:02:12.871Z'] })
export const nullableMoment = (description: string) =>
  nullableText({ format: 'date-time', description, examples: ['2026-05-03T07:02:12.871Z'] })

export const count = (description: string, example: number) => Type.Integer({ description, examples: [example] })
export const date = (description: string) =>
  Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description, examples: ['2026-05-03'] })
export const nullableCount = (options: object) =>
  nullable<number>('integer', { minimum: 0, maximum: Number.MAX_SAFE_INTEGER, ...options })

export const WorkspaceParams = Type.Object({
  id: Type.String({ description: "The workspace's `id`.", examples: [WORKSPACE_ID] }),
})
export type WorkspaceParams = Static<typeof WorkspaceParams>
export const PublicationParams = Type.Object({
  id: Type.String({ description: "The publication's `id`.", examples: [PUBLICATION_ID] }),
})
export type PublicationParams = Static<typeof PublicationParams>

/** The publication in an address, identified by its slug. */
export const SlugParams = Type.Object({
  slug: Type.String({ description: 'Current or former slug of the publication.', examples: ['annual-report-2026'] }),
})
