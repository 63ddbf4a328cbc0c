import Type, { type Static } from 'typebox'
import { PUBLICATION_STATUSES } from '../domain/publication-status.ts'
import { count, IMAGE, nullableText } from './fields.ts'
import { PublicationSummary } from './publication.ts'

/** Largest and default `limit` of the list of a workspace's publications. */
const MAX_OPERATOR_PUBLICATIONS_PER_PAGE = 200
export const DEFAULT_OPERATOR_PUBLICATIONS_PER_PAGE = 50
const PUBLICATION_SORTS = ['created', 'updated', 'title'] as const

export const LibraryEntry = Type.Object(
  {
    ...PublicationSummary.properties,
    cover: Type.String({
      description:
        'Path of an image of the first page on this server, 600 pixels wide; it works even while the publication is unpublished.',
      examples: [`${IMAGE}&width=600`],
    }),
    views: count('Views on all days.', 1204),
  },
  { title: 'LibraryEntry' },
)
export type LibraryEntry = Static<typeof LibraryEntry>

export const LibraryPage = Type.Object(
  {
    publications: Type.Array(LibraryEntry),
    total: count('Publications that match the search and the filters, on all pages.', 212),
    next_cursor: nullableText({ description: '`cursor` of the next page; null on the last.', examples: [null] }),
  },
  { title: 'LibraryPage' },
)
export type LibraryPage = Static<typeof LibraryPage>

export const LibraryQuery = Type.Object({
  q: Type.Optional(
    Type.String({
      maxLength: 500,
      description: 'Text in the title or the slug; case and accents are ignored.',
      examples: ['report'],
    }),
  ),
  status: Type.Optional(Type.Enum(PUBLICATION_STATUSES, { description: 'Only publications with this status.' })),
  unpublished: Type.Optional(
    Type.Enum(['true', 'false'] as const, {
      description: '`true`: only unpublished ones; `false`: only public ones.',
    }),
  ),
  sort: Type.Optional(Type.Enum(PUBLICATION_SORTS, { description: 'Default `created`.' })),
  order: Type.Optional(Type.Enum(['asc', 'desc'] as const, { description: 'Default `desc`, for titles `asc`.' })),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_OPERATOR_PUBLICATIONS_PER_PAGE,
      description: `Default ${DEFAULT_OPERATOR_PUBLICATIONS_PER_PAGE}.`,
    }),
  ),
  cursor: Type.Optional(
    Type.String({ maxLength: 4000, description: '`next_cursor` of the previous page, with the same sort and order.' }),
  ),
})
export type LibraryQuery = Static<typeof LibraryQuery>

// Events of GET /operator/workspaces/:id/live:
//   `ready` {}                          the stream follows the library from now on; a list read earlier may miss
//   changes `publication` LibraryEntry          a new or changed publication, as it is now `publication-deleted`
//   LiveDeleted   a publication was deleted `ended` {}                          the workspace is gone; the stream ends

export type LiveDeleted = { id: string }
