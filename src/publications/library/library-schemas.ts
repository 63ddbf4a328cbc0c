import Type, { type Static } from 'typebox'
import { nullableText } from '#platform/http/field-rules.ts'
import type { Addresses } from '../model/config.ts'
import { PUBLICATION_STATUSES } from '../model/fields.ts'
import { LIBRARY_SORTS } from '../model/library-store.ts'
import { PublicationSummary } from '../model/publication-answer-schemas.ts'
import { listedJson } from '../model/publication-json.ts'
import type { Publication } from '../model/publication-rows.ts'
import { ACCESSES, VISIBILITIES } from '../model/reading.ts'
import { count, IMAGE } from '../model/schemas.ts'

/** Largest and default `limit` of the list of a workspace's publications. */
const MAX_OPERATOR_PUBLICATIONS_PER_PAGE = 200
export const DEFAULT_OPERATOR_PUBLICATIONS_PER_PAGE = 50

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

export const COVER_WIDTH = 600

/** Returns a publication as an entry of a library. */
export function libraryEntry(
  publication: Publication,
  views: number,
  addresses: Addresses,
  nowMs: number,
): LibraryEntry {
  return {
    ...listedJson(publication, addresses, nowMs),
    cover: pageImagePath(publication, 1, COVER_WIDTH),
    views,
  }
}

/** Returns an operator's address of a page image: readers' addresses do not work while a publication is unpublished. */
export function pageImagePath({ id, version_id }: Publication, page: number, width: number): string {
  return `/operator/publications/${id}/pages/${page}/image?version=${version_id}&width=${width}`
}

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
  texts: Type.Optional(
    Type.Enum(['true', 'false'] as const, {
      description:
        '`true`: `q` is also searched in the texts of up to 2,000 publications, the newest first. Default `false`.',
    }),
  ),
  status: Type.Optional(Type.Enum(PUBLICATION_STATUSES, { description: 'Only publications with this status.' })),
  unpublished: Type.Optional(
    Type.Enum(['true', 'false'] as const, {
      description: '`true`: only unpublished ones and drafts; `false`: only published ones.',
    }),
  ),
  visibility: Type.Optional(Type.Enum(VISIBILITIES, { description: 'Only publications in this state.' })),
  access: Type.Optional(Type.Enum(ACCESSES, { description: 'Only publications with this access.' })),
  collection: Type.Optional(
    Type.String({
      maxLength: 36,
      description: 'Only publications of the collection with this `id`; `none`: only those in no collection.',
      examples: ['none'],
    }),
  ),
  sort: Type.Optional(Type.Enum(LIBRARY_SORTS, { description: 'Default `created`.' })),
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
//   `ready` {}                          the stream follows the library from now on; an older list may miss changes
//   `publication` LibraryEntry          a new or changed publication, as it is now
//   `publication-deleted` LiveDeleted   a publication was deleted, or has left the bin for good
//   `ended` {}                          the workspace is gone; the stream ends

export type LiveDeleted = { id: string }
