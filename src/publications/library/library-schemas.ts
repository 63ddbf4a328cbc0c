import Type, { type Static } from 'typebox'
import { type Nullable, nullableText } from '#platform/http/nullable.ts'
import { PUBLICATION_STATUSES } from '../model/fields.ts'
import { LIBRARY_SORTS } from '../model/library-store.ts'
import { PublicationSummary } from '../model/publication-answer-schemas.ts'
import { ACCESSES, VISIBILITIES } from '../model/reading.ts'
import { count, IMAGE, PublicationParams, VERSION_ID } from '../model/schemas.ts'

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

/** A page is shown as its image, a placeholder, or not yet. */
const PAGE_STATES = ['ready', 'failed', 'waiting'] as const
const PAGE_IMAGE_WIDTHS = ['600', '1200', '2400'] as const

export const OperatorPage = Type.Object(
  {
    page: count('The first is 1.', 1),
    label: nullableText({
      description: "The document's own name for the page; null if that is its number.",
      examples: ['iv'],
    }),
    width: count('Width of its image, in pixels.', 1200),
    height: count('Height of its image, in pixels.', 1697),
    image: Type.String({
      description:
        'Path of its image on this server, 1,200 pixels wide; it works even while the publication is unpublished.',
      examples: [`${IMAGE}&width=1200`],
    }),
    thumbnail: Type.String({ description: 'Path of its image, 600 pixels wide.', examples: [`${IMAGE}&width=600`] }),
    state: Type.Enum(PAGE_STATES, {
      description: '`waiting` until it is rendered; `failed` if it is shown as a placeholder.',
      examples: ['ready'],
    }),
    failed_reason: nullableText({ description: 'Reason why it could not be rendered.', examples: [null] }),
    text_length: Type.Unsafe<Nullable<number>>({
      type: ['integer', 'null'],
      description: 'Characters of its text; 0 if it has none, null until it is rendered.',
      examples: [2210],
    }),
  },
  { title: 'OperatorPage' },
)
export type OperatorPage = Static<typeof OperatorPage>

export const OperatorPageList = Type.Object(
  { pages: Type.Array(OperatorPage, { description: 'Pages in order.' }) },
  { title: 'OperatorPageList' },
)
export type OperatorPageList = Static<typeof OperatorPageList>

export const OperatorPageParams = Type.Object({
  ...PublicationParams.properties,
  page: Type.String({ pattern: '^[1-9][0-9]{0,8}$', description: 'The first is 1.', examples: ['1'] }),
})
export type OperatorPageParams = Static<typeof OperatorPageParams>

export const PageImageQuery = Type.Object({
  width: Type.Optional(Type.Enum(PAGE_IMAGE_WIDTHS, { description: 'In pixels; default `1200`.' })),
  version: Type.Optional(
    Type.String({ description: 'Version of the file; the latest by default.', examples: [VERSION_ID] }),
  ),
})
export type PageImageQuery = Static<typeof PageImageQuery>
