import Type, { type Static } from 'typebox'
import { MAX_SLUG_LENGTH, SLUG_PATTERN } from './domain/slug.ts'
import { MAX_TITLE_LENGTH } from './read-title.ts'
import { ListedPublication, PUBLICATION_STATUSES, UploadReference } from './schemas.ts'

// What the operator's endpoints of the publication service take and give. The dashboard takes its types from here.

/** Largest and usual `limit` of the list of a workspace's publications. */
export const MAX_OPERATOR_PUBLICATIONS_PER_PAGE = 200
export const USUAL_OPERATOR_PUBLICATIONS_PER_PAGE = 50
/** Longest period that reading figures are given of, and the usual one, in days. */
export const MAX_FIGURE_DAYS = 1100
export const USUAL_FIGURE_DAYS = 30
export const MAX_WORKSPACE_NAME_LENGTH = 200

export const PUBLICATION_SORTS = ['created', 'updated', 'title'] as const
/** What there is of a page: its image, a placeholder, or nothing yet. */
export const PAGE_STATES = ['ready', 'failed', 'waiting'] as const
export const PAGE_IMAGE_WIDTHS = ['600', '1200', '2400'] as const

const WORKSPACE_ID = '2f6b1f0e-8d5a-4a52-9a5d-0c9b7c6a1e34'
const PUBLICATION_ID = '0b51a2de-6f0c-4f2b-9f0e-5f6c8d1e2a77'
const VERSION_ID = 'c1b2a3d4-0f1e-4d2c-8b3a-4958677685a4'
const SLUG = 'annual-report-2026'
const IMAGE = `/operator/publications/${PUBLICATION_ID}/pages/1/image?version=${VERSION_ID}`

type Nullable<T> = T | null

const nullableText = (options: object) => Type.Unsafe<Nullable<string>>({ type: ['string', 'null'], ...options })
const moment = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-05-03T07:02:12.871Z'] })
const count = (description: string, example: number) => Type.Integer({ description, examples: [example] })
const date = (description: string) =>
  Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description, examples: ['2026-05-03'] })

export const WorkspaceParams = Type.Object({
  id: Type.String({ description: "The workspace's `id`.", examples: [WORKSPACE_ID] }),
})
export type WorkspaceParams = Static<typeof WorkspaceParams>
export const PublicationParams = Type.Object({
  id: Type.String({ description: "The publication's `id`.", examples: [PUBLICATION_ID] }),
})
export type PublicationParams = Static<typeof PublicationParams>

// Workspaces

const workspaceName = Type.String({
  minLength: 1,
  maxLength: MAX_WORKSPACE_NAME_LENGTH,
  description: 'What people call it; white space around it is taken off.',
  examples: ['Communication'],
})

export const NewWorkspace = Type.Object({ name: workspaceName }, { title: 'NewWorkspace' })
export type NewWorkspace = Static<typeof NewWorkspace>

export const WorkspaceChange = Type.Partial(NewWorkspace, {
  title: 'WorkspaceChange',
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
    Type.Object({
      masked: nullableText({ description: 'Its beginning and its end.', examples: ['pub_Zm9v…YmFy'] }),
      created_at: moment('When it was made.'),
      expires_at: moment('When it ends.'),
    }),
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
  { title: 'CreatedWorkspace', description: 'The workspace with its first API key.' },
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
  { title: 'KeyRotation' },
)
export type KeyRotation = Static<typeof KeyRotation>

// Library

export const LibraryEntry = Type.Object(
  {
    ...ListedPublication.properties,
    cover: Type.String({
      description: 'Path of an image of the first page on this server, 600 pixels wide; also while it is withdrawn.',
      examples: [`${IMAGE}&width=600`],
    }),
    views: count('Times that people opened it, of all days.', 1204),
  },
  { title: 'LibraryEntry' },
)
export type LibraryEntry = Static<typeof LibraryEntry>

export const LibraryPage = Type.Object(
  {
    publications: Type.Array(LibraryEntry),
    total: count('Publications that the search and the filters leave, on all pages.', 212),
    next_cursor: nullableText({ description: '`cursor` of the next page; null on the last.', examples: [null] }),
  },
  { title: 'LibraryPage' },
)
export type LibraryPage = Static<typeof LibraryPage>

export const LibraryQuery = Type.Object({
  q: Type.Optional(
    Type.String({
      maxLength: 500,
      description: 'Text in the title or the slug; case and accents make no difference.',
      examples: ['report'],
    }),
  ),
  status: Type.Optional(Type.Enum(PUBLICATION_STATUSES, { description: 'Only publications of this status.' })),
  unpublished: Type.Optional(
    Type.Enum(['true', 'false'] as const, {
      description: '`true`: only those that are withdrawn; `false`: only those that are public.',
    }),
  ),
  sort: Type.Optional(Type.Enum(PUBLICATION_SORTS, { description: 'Default `created`.' })),
  order: Type.Optional(Type.Enum(['asc', 'desc'] as const, { description: 'Default `desc`, for titles `asc`.' })),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_OPERATOR_PUBLICATIONS_PER_PAGE,
      description: `Default ${USUAL_OPERATOR_PUBLICATIONS_PER_PAGE}.`,
    }),
  ),
  cursor: Type.Optional(
    Type.String({ maxLength: 4000, description: '`next_cursor` of the page before, with the same sort and order.' }),
  ),
})
export type LibraryQuery = Static<typeof LibraryQuery>

// Events of GET /operator/workspaces/:id/live:
//   `ready` {}                          the stream follows the library from here on; a list read before may miss something
//   `publication` LibraryEntry          a publication that is new or has changed, as it is now
//   `publication-deleted` LiveDeleted   it is gone
//   `ended` {}                          the workspace is gone; the stream ends

export type LiveDeleted = { id: string }

// A publication

export const OperatorPublication = Type.Object(
  {
    ...LibraryEntry.properties,
    workspace: Type.Object({
      id: Type.String({ format: 'uuid', examples: [WORKSPACE_ID] }),
      name: Type.String({ examples: ['Communication'] }),
    }),
    former_slugs: Type.Array(Type.String({ examples: ['annual-report'] }), {
      description: 'Slugs it had before, which still lead to it.',
    }),
    failed_pages: Type.Array(
      Type.Object({
        page: count('The first is 1.', 3),
        code: Type.String({ description: 'The reason in one word.', examples: ['page_damaged'] }),
        reason: Type.String({ examples: ['The page cannot be read.'] }),
      }),
      { description: 'Pages that could not be rendered; a placeholder stands for each.' },
    ),
    pages_without_text: Type.Array(count('The first is 1.', 4), {
      description:
        'Finished pages of which screen readers and search engines get nothing, such as scans without recognised text.',
    }),
    language: nullableText({ description: 'A language tag, as the file has it.', examples: ['fr-CH'] }),
    is_tagged: Type.Boolean({
      description: 'Whether the file describes its own structure, headings and reading order.',
      examples: [true],
    }),
    findings: Type.Array(Type.String({ examples: ['javascript'] }), {
      description: 'What the file could do besides being read; nothing of it is carried out here.',
    }),
    outline_count: count('Entries of its table of contents.', 12),
    version: count('1 for the file it was created from, one more with each replacement.', 1),
    sha256: Type.String({
      description: 'Of the PDF, in hexadecimal.',
      examples: ['2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae'],
    }),
    embed_url: Type.String({ format: 'uri', examples: [`https://www.example.org/p/${SLUG}/embed`] }),
    embed_html: Type.String({
      description: 'Embeds it in another page.',
      examples: [`<iframe src="https://www.example.org/p/${SLUG}/embed" width="720" height="960"></iframe>`],
    }),
  },
  { title: 'OperatorPublication', description: 'A publication as operators see it.' },
)
export type OperatorPublication = Static<typeof OperatorPublication>

const title = Type.String({
  description: `1 to ${MAX_TITLE_LENGTH} characters; white space around it is taken off.`,
  examples: ['Annual Report 2026'],
})

export const OperatorPublicationChange = Type.Object(
  {
    title: Type.Optional(title),
    slug: Type.Optional(
      Type.String({
        maxLength: MAX_SLUG_LENGTH,
        pattern: SLUG_PATTERN,
        description: 'What it is to be known by; it stays known under the slugs it had.',
        examples: [SLUG],
      }),
    ),
  },
  { title: 'OperatorPublicationChange', description: 'What is left out stays.' },
)
export type OperatorPublicationChange = Static<typeof OperatorPublicationChange>

export const OperatorUploadRequest = Type.Object(
  {
    path: Type.Optional(
      nullableText({
        description: 'Folders and file name under which the file is to be known; a path of its own by default.',
        examples: ['2026/plan.pdf'],
      }),
    ),
  },
  { title: 'OperatorUploadRequest' },
)
export type OperatorUploadRequest = Static<typeof OperatorUploadRequest>

// The ticket is `UploadTicket`, and PUT …/file takes `UploadReference`, as in the API for workspaces.

export const OperatorNewPublication = Type.Object(
  { title, ...UploadReference.properties },
  { title: 'OperatorNewPublication', description: 'A publication from a file that was uploaded.' },
)
export type OperatorNewPublication = Static<typeof OperatorNewPublication>

// Pages

export const OperatorPage = Type.Object(
  {
    page: count('The first is 1.', 1),
    label: nullableText({
      description: 'What the document calls it; null where that is its number.',
      examples: ['iv'],
    }),
    width: count('Of its image, in pixels.', 1200),
    height: count('Of its image, in pixels.', 1697),
    image: Type.String({
      description: 'Path of its image on this server, 1,200 pixels wide; also while the publication is withdrawn.',
      examples: [`${IMAGE}&width=1200`],
    }),
    thumbnail: Type.String({ description: 'The same, 600 pixels wide.', examples: [`${IMAGE}&width=600`] }),
    state: Type.Enum(PAGE_STATES, {
      description: '`waiting` until it is rendered; `failed` where a placeholder stands for it.',
      examples: ['ready'],
    }),
    failed_reason: nullableText({ description: 'Why it could not be rendered.', examples: [null] }),
    text_length: Type.Unsafe<Nullable<number>>({
      type: ['integer', 'null'],
      description: 'Characters of its text; 0 where it has none, null until it is rendered.',
      examples: [2210],
    }),
  },
  { title: 'OperatorPage' },
)
export type OperatorPage = Static<typeof OperatorPage>

export const OperatorPageList = Type.Object(
  { pages: Type.Array(OperatorPage, { description: 'In their order.' }) },
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
  version: Type.Optional(Type.String({ description: 'Of which file; the latest by default.', examples: [VERSION_ID] })),
})
export type PageImageQuery = Static<typeof PageImageQuery>

// Reading figures

export const FiguresQuery = Type.Object({
  from: Type.Optional(date(`First day, in UTC; ${USUAL_FIGURE_DAYS - 1} days before the last by default.`)),
  to: Type.Optional(date('Last day, in UTC; today by default.')),
})
export type FiguresQuery = Static<typeof FiguresQuery>

const figures = {
  views: count('Times that people opened the page or its embedded form.', 41),
  readers: count('Different readers, as far as they can be told apart; without those who ask not to be followed.', 33),
  downloads: count('Times that the PDF was downloaded.', 4),
  seconds: count('Time that readers spent with pages on the screen.', 5210),
  pages: Type.Array(count('Times that the page was read.', 39), {
    description: 'The first page first; what is missing at the end was not read.',
  }),
}

export const FigureDay = Type.Object({ day: date('In UTC.'), ...figures }, { title: 'FigureDay' })
export type FigureDay = Static<typeof FigureDay>

export const ReadingFigures = Type.Object(
  {
    from: date('First day.'),
    to: date('Last day.'),
    days: Type.Array(FigureDay, { description: 'Every day of the period, also those without readers.' }),
    total: Type.Object(
      {
        ...figures,
        readers: count('Readers of each day added up: nobody is known again on another day.', 33),
      },
      { title: 'FigureTotal', description: 'All days together.' },
    ),
  },
  {
    title: 'ReadingFigures',
    description: 'How a publication is read. No cookie is set, and nothing is kept that names a reader.',
  },
)
export type ReadingFigures = Static<typeof ReadingFigures>
