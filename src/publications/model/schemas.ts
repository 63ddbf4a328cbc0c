import Type, { type Static } from 'typebox'
import { momentOf } from '#platform/basics/time.ts'
import { ruledBy, ruledTogether } from '#platform/http/field-rules.ts'
import {
  FIRST_VIEWS,
  type FirstView,
  MAX_AUTHOR_LENGTH,
  MAX_DESCRIPTION_LENGTH,
  MAX_TITLE_LENGTH,
  PUBLICATION_STATUSES,
  titleProblem,
} from './fields.ts'
import type { Schedule } from './publication-edits.ts'
import { MAX_READER_PASSWORD_LENGTH, MIN_READER_PASSWORD_LENGTH } from './reader-passwords.ts'
import { ACCESSES, type Access, VISIBILITIES } from './reading.ts'
import { MAX_SLUG_LENGTH, SLUG_PATTERN, slugProblem } from './slug.ts'
import { languageProblem, statementConflicts } from './statements.ts'

// Kinds of fields that the schemas of the operator endpoints share. The dashboard takes its types from these schemas.

export const WORKSPACE_ID = '2f6b1f0e-8d5a-4a52-9a5d-0c9b7c6a1e34'
const PUBLICATION_ID = '0b51a2de-6f0c-4f2b-9f0e-5f6c8d1e2a77'
export const VERSION_ID = 'c1b2a3d4-0f1e-4d2c-8b3a-4958677685a4'
export const COLLECTION_ID = '5d1c9f0a-3b7e-4c59-8f21-6a0d4e9b7c52'
export const SLUG = 'annual-report-2026'
export const IMAGE = `/operator/publications/${PUBLICATION_ID}/pages/1/image?version=${VERSION_ID}`

export type Nullable<T> = T | null

export const nullableText = (options: object) => Type.Unsafe<Nullable<string>>({ type: ['string', 'null'], ...options })
export const moment = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-05-03T07:02:12.871Z'] })
export const count = (description: string, example: number) => Type.Integer({ description, examples: [example] })
export const date = (description: string) =>
  Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description, examples: ['2026-05-03'] })
export const nullableCount = (options: object) =>
  Type.Unsafe<Nullable<number>>({
    type: ['integer', 'null'],
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    ...options,
  })

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

const STORAGE_KEY = '7c0e3c1a-52a1-4c8e-9d0b-3f1f6f0a2b9d'
const TITLE = 'Annual Report 2026'

const uploadReference = {
  storageKey: Type.String({ description: 'Value from the upload ticket.', examples: [STORAGE_KEY] }),
  pdfPath: Type.String({
    description: 'Value from the upload ticket.',
    examples: [`${WORKSPACE_ID}/${STORAGE_KEY}.pdf`],
  }),
}

export const FileReplace = Type.Object(uploadReference, {
  title: 'FileReplace',
  description: 'An uploaded file that does not belong to a publication yet.',
})
export type FileReplace = Static<typeof FileReplace>

const fromFile = (description: string) =>
  Type.Unsafe<Nullable<boolean>>({ type: ['boolean', 'null'], description, examples: [false] })

/** Statements of a publisher about a document. */
export const statementsUpdate = Type.Partial(
  Type.Object({
    language: Type.Unsafe<Nullable<string>>({
      type: ['string', 'null'],
      maxLength: 100,
      ...ruledBy(languageProblem),
      description:
        'Language of the document as a tag (BCP 47), instead of that of the file; an empty text states none.',
      examples: ['fr-CH'],
    }),
    author: Type.Unsafe<Nullable<string>>({
      type: ['string', 'null'],
      maxLength: MAX_AUTHOR_LENGTH,
      description: 'Author; an empty text states none.',
      examples: ['Ada Lovelace'],
    }),
    description: Type.Unsafe<Nullable<string>>({
      type: ['string', 'null'],
      maxLength: MAX_DESCRIPTION_LENGTH,
      description:
        'Description for search engines and link previews; an empty text states none, and they show the beginning of the document.',
      examples: ['Our year in figures.'],
    }),
    title_from_file: fromFile(
      '`true` takes the title that the file states, also of a later file. A file without one keeps the given title.',
    ),
    language_from_file: fromFile('`true` takes the language that the file states, as is the default.'),
    author_from_file: fromFile('`true` publishes the author that the file states, often a login.'),
    description_from_file: fromFile('`true` publishes the subject that the file states, as the description.'),
  }),
).properties

/** The circle of readers of a publication. */
export const accessUpdate = Type.Optional(
  Type.Unsafe<Nullable<Access>>({
    type: ['string', 'null'],
    enum: [...ACCESSES, null],
    description:
      'Who may read it: `public`, `unlisted` (whoever knows the address; in no sitemap or search engine) or `restricted` (only through reader links). A change ends every address of its images and its file at once.',
    examples: ['unlisted'],
  }),
)

const momentUpdate = (description: string, example: string) =>
  Type.Optional(
    Type.Unsafe<Nullable<string>>({ type: ['string', 'null'], format: 'date-time', description, examples: [example] }),
  )

/** The times between which a publication is read. */
export const scheduleUpdate = {
  publish_at: momentUpdate(
    'Time before which readers get what an unknown slug gets; null for none. Only the clock of the server counts. A change ends every address of its images and its file at once.',
    '2026-05-03T08:00:00.000Z',
  ),
  expires_at: momentUpdate(
    'Time from which readers get 410, as from an unpublished one; null for none. Addresses of its images and its file end with it.',
    '2027-05-03T08:00:00.000Z',
  ),
}

/** The schedule in a body. */
export type ScheduleTexts = { publish_at?: string | null; expires_at?: string | null }

/** Returns the schedule in a body in milliseconds; undefined for unchanged times. */
export function scheduleOf({ publish_at, expires_at }: ScheduleTexts): Schedule {
  const timeOf = (text: string | null | undefined) => (text === null ? null : momentOf(text))
  return { publish_at: timeOf(publish_at), expires_at: timeOf(expires_at) }
}

/** The password that readers are asked for. */
export const passwordUpdate = Type.Optional(
  Type.Unsafe<Nullable<string>>({
    type: ['string', 'null'],
    minLength: MIN_READER_PASSWORD_LENGTH,
    maxLength: MAX_READER_PASSWORD_LENGTH,
    description:
      'Password that readers are asked for after the rule of `access`; null for none. It is never returned. Another one ends what was opened by the former, and every address of its images and its file, at once.',
    examples: ['a quiet lake at dawn'],
  }),
)

/** The choice to give readers the PDF. */
export const downloadUpdate = Type.Optional(
  Type.Unsafe<Nullable<boolean>>({
    type: ['boolean', 'null'],
    description:
      '`false`: readers do not get the PDF, at `…/pdf` nor `…/download`, and the page does not offer it. Images and text stay readable, and can be copied.',
    examples: [true],
  }),
)

/** The view in which readers begin. */
export const firstViewUpdate = Type.Optional(
  Type.Unsafe<Nullable<FirstView>>({
    type: ['string', 'null'],
    enum: [...FIRST_VIEWS, null],
    description:
      'How readers see it at first, until they choose another view: `scroll`, all pages in a row; `book`, two pages, the cover alone; `slides`, one page at a time. null: `slides` if all pages are wide, or else `scroll`.',
    examples: ['book'],
  }),
)

/** The choice to recognise the text of scans. */
export const recognitionUpdate = Type.Optional(
  Type.Unsafe<Nullable<boolean>>({
    type: ['boolean', 'null'],
    description:
      '`false`: text of pages without any is not recognised. What was recognised before stays. `true` goes on, unless recognition is off on this server.',
    examples: [true],
  }),
)

/** The collection of a publication. */
export const collectionUpdate = Type.Optional(
  Type.Unsafe<Nullable<string>>({
    type: ['string', 'null'],
    format: 'uuid',
    description: 'Collection of the workspace that it is in, by its `id`; null for none.',
    examples: [null],
  }),
)

export const PublicationCreate = Type.Object(
  {
    title: Type.String({
      ...ruledBy(titleProblem),
      description: `1 to ${MAX_TITLE_LENGTH} characters; surrounding white space is removed.`,
      examples: [TITLE],
    }),
    ...uploadReference,
    sourceType: Type.Unsafe<'pdf' | 'images'>({
      type: 'string',
      enum: ['pdf', 'images'],
      description: 'The `type` of the upload ticket.',
      examples: ['pdf'],
    }),
    draft: Type.Optional(
      Type.Unsafe<Nullable<boolean>>({
        type: ['boolean', 'null'],
        description:
          '`true` creates a draft, to be published later. Until then, readers get what an unknown slug gets.',
        examples: [false],
      }),
    ),
    access: accessUpdate,
    ...scheduleUpdate,
    password: passwordUpdate,
    allow_download: downloadUpdate,
    first_view: firstViewUpdate,
    recognize_text: recognitionUpdate,
    collection_id: collectionUpdate,
    ...statementsUpdate,
  },
  { title: 'PublicationCreate', ...ruledTogether(statementConflicts) },
)

export const PublicationUpdate = Type.Object(
  {
    title: Type.Optional(
      Type.Unsafe<Nullable<string>>({
        type: ['string', 'null'],
        ...ruledBy(titleProblem),
        description: `1 to ${MAX_TITLE_LENGTH} characters; surrounding white space is removed.`,
        examples: [TITLE],
      }),
    ),
    slug: Type.Optional(
      Type.Unsafe<Nullable<string>>({
        type: ['string', 'null'],
        maxLength: MAX_SLUG_LENGTH,
        pattern: SLUG_PATTERN,
        ...ruledBy(slugProblem),
        description:
          'New slug: lower-case letters and digits, with `-` between words. Former slugs still lead to the publication.',
        examples: [SLUG],
      }),
    ),
    access: accessUpdate,
    ...scheduleUpdate,
    password: passwordUpdate,
    allow_download: downloadUpdate,
    first_view: firstViewUpdate,
    recognize_text: recognitionUpdate,
    collection_id: collectionUpdate,
    ...statementsUpdate,
  },
  { title: 'PublicationUpdate', ...ruledTogether(statementConflicts) },
)
export type PublicationUpdate = Static<typeof PublicationUpdate>

const summary = {
  id: Type.String({ format: 'uuid', examples: ['0b51a2de-6f0c-4f2b-9f0e-5f6c8d1e2a77'] }),
  slug: Type.String({ description: 'Part of its addresses.', examples: [SLUG] }),
  title: Type.String({ examples: [TITLE] }),
  status: Type.Enum(PUBLICATION_STATUSES, {
    description:
      '`processing` until the first 20 pages are rendered, or all pages if there are fewer; `failed` if no page could be rendered.',
    examples: ['ready'],
  }),
  page_count: count('Number of pages, known from the beginning.', 48),
  pages_ready: count(
    'Number of rendered pages, including placeholders. It still increases while `status` is `ready`.',
    48,
  ),
  pages_recognized: count('Number of pages whose text was recognised, because the file has none.', 0),
  size: count('Size of the PDF in bytes.', 482_113),
  public_url: Type.String({ format: 'uri', examples: [`https://www.example.org/p/${SLUG}`] }),
  failure: Type.Unsafe<Nullable<{ code: string; detail: string }>>({
    type: ['object', 'null'],
    title: 'PublicationFailure',
    required: ['code', 'detail'],
    properties: { code: { type: 'string' }, detail: { type: 'string' } },
    description: 'Reason of the status `failed`.',
    examples: [null],
  }),
  access: Type.Enum(ACCESSES, {
    description:
      '`public`: everyone, listed in search engines; `unlisted`: whoever knows the address; `restricted`: whoever has a reader link; everyone else gets what an unknown slug gets.',
    examples: ['public'],
  }),
  visibility: Type.Enum(VISIBILITIES, {
    description:
      '`draft`: never published, and for readers as if it did not exist; `scheduled`: likewise until `publish_at`; `visible`: published; `expired`: `expires_at` has passed; `unpublished`: withdrawn.',
    examples: ['visible'],
  }),
  publish_at: Type.Unsafe<Nullable<string>>({
    ...moment('Time before which readers do not find it; null for none.'),
    type: ['string', 'null'],
  }),
  expires_at: Type.Unsafe<Nullable<string>>({
    ...moment('Time from which nobody reads it; null for none.'),
    type: ['string', 'null'],
  }),
  has_password: Type.Boolean({ description: 'Whether readers are asked for a password.', examples: [false] }),
  allow_download: Type.Boolean({ description: 'Whether readers get the PDF.', examples: [true] }),
  first_view: Type.Unsafe<Nullable<FirstView>>({
    type: ['string', 'null'],
    enum: [...FIRST_VIEWS, null],
    description: 'How readers see it at first; null by the format of its pages.',
    examples: [null],
  }),
  recognize_text: Type.Boolean({
    description: 'Whether text of pages without any is recognised, as far as the server does that.',
    examples: [true],
  }),
  collection_id: nullableText({
    description: '`id` of the collection that it is in; null for none.',
    examples: [null],
  }),
  unpublished_at: Type.Unsafe<Nullable<string>>({
    type: ['string', 'null'],
    format: 'date-time',
    description: 'Time at which it was unpublished; null while it is published, and for a draft.',
    examples: [null],
  }),
  created_at: moment('Time of creation.'),
  updated_at: moment('Time of the last change, including the one to `ready`.'),
}

export const PublicationSummary = Type.Object(summary, { title: 'PublicationSummary' })
export const PublicationList = Type.Array(PublicationSummary, { description: 'Publications, newest first.' })

const shown = (description: string, example: string) =>
  Type.Unsafe<Nullable<string>>({ type: ['string', 'null'], description, examples: [example] })

/** As readers see them. */
export const shownStatements = {
  language: shown(
    'Language tag; null if neither the publisher nor the file states one, and the text does not tell.',
    'fr-CH',
  ),
  author: shown('Author; null if none is published.', 'Ada Lovelace'),
  description: shown('Description; null if none is published.', 'Our year in figures.'),
}

const isFromFile = (what: string, example: boolean) =>
  Type.Boolean({ description: `Whether ${what} is that of the file.`, examples: [example] })

/** Sources of the statements, for owners. */
export const statementSources = {
  title_from_file: isFromFile('the title', false),
  language_from_file: isFromFile('the language', true),
  author_from_file: isFromFile('the author', false),
  description_from_file: isFromFile('the description', false),
  detected_language: shown(
    'Language of the text, as far as it tells, if the file states none. It counts until the publisher states one.',
    'fr',
  ),
  file_statements: Type.Object(
    {
      title: shown('Title, unless it is a placeholder such as `Untitled`.', TITLE),
      language: shown('Language tag.', 'fr-CH'),
      author: shown('Author.', 'alovelace'),
      description: shown('Subject.', 'Our year in figures.'),
    },
    {
      title: 'FileStatements',
      description:
        'Statements of the file, null where it has none. Author and subject are published only if asked for.',
    },
  ),
}

const details = {
  ...summary,
  failed_pages: Type.Array(
    Type.Object(
      { page: count('The first is 1.', 3), reason: Type.String({ examples: ['The page cannot be read.'] }) },
      { title: 'FailedPage' },
    ),
    { description: 'Pages that could not be rendered; each is shown as a placeholder.' },
  ),
  ...shownStatements,
  findings: Type.Array(Type.String({ examples: ['javascript'] }), {
    description: 'Active content of the file; none of it is executed here.',
  }),
}

export const Publication = Type.Object(
  { ...details, ...statementSources },
  { title: 'Publication', description: 'A publication for its owner.' },
)

const PublicationPage = Type.Object(
  {
    page: count('The first is 1.', 1),
    width: count('Width of its image, in pixels.', 1200),
    height: count('Height of its image, in pixels.', 1697),
    width_pt: Type.Number({ description: 'Width of the page, in points.', examples: [595.28] }),
    height_pt: Type.Number({ description: 'Height of the page, in points.', examples: [841.89] }),
    label: Type.Optional(
      Type.String({ description: "The document's own name for the page, unless it is its number.", examples: ['iv'] }),
    ),
    image: Type.String({
      format: 'uri',
      description: 'Address of its image, WebP or JPEG depending on `Accept`.',
      examples: ['https://cdn.example.org/images/2b0d6c1e-8a0f-4b52-9f6e-6a1f6a3c1d70/1-1-q3J0c2V0cGFnZWltYWdlMQ'],
    }),
  },
  { title: 'Page' },
)

export const AttachedFile = Type.Object(
  {
    id: Type.String({ description: 'For `getPublicationAttachment`.', examples: ['1'] }),
    name: Type.String({ examples: ['may.csv'] }),
  },
  { title: 'AttachedFile' },
)

export const PublicationDetail = Type.Object(
  {
    ...details,
    metadata: Type.Object(
      {
        title: Type.Optional(Type.String()),
        author: Type.Optional(Type.String()),
        subject: Type.Optional(Type.String()),
        keywords: Type.Optional(Type.String()),
      },
      {
        title: 'DocumentMetadata',
        description: 'What the file says; its author and subject only if they are published.',
      },
    ),
    outline: Type.Array(
      Type.Object(
        {
          title: Type.String({ examples: ['Introduction'] }),
          depth: count('0 is the outermost level; an entry belongs to the last shallower one before it.', 0),
          page: Type.Optional(count('Target page.', 3)),
          uri: Type.Optional(Type.String({ description: 'Target address outside of the document.' })),
        },
        { title: 'OutlineEntry' },
      ),
      { description: 'The table of contents.' },
    ),
    attachments: Type.Array(AttachedFile, { description: 'Files that are attached to the PDF, for its download.' }),
    pages: Type.Array(PublicationPage, { description: 'Pages in order.' }),
  },
  { title: 'PublicationDetail', description: 'A publication with everything that is needed to show it.' },
)

/** Limits of a report: all pages of a large document, and ten hours. */
const MAX_REPORTED_PAGES = 5_000
const MAX_REPORTED_SEC = 36_000

export const ReadingReport = Type.Object(
  {
    pages: Type.Array(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
      maxItems: MAX_REPORTED_PAGES,
      description: 'Numbers of pages that were on the screen and not reported yet; each counts once.',
      examples: [[1, 2]],
    }),
    seconds: Type.Integer({
      minimum: 0,
      maximum: MAX_REPORTED_SEC,
      description: 'Seconds that pages were on the screen since the last report.',
      examples: [42],
    }),
  },
  { title: 'ReadingReport' },
)
export type ReadingReport = Static<typeof ReadingReport>
