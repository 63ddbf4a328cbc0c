import Type, { type Static } from 'typebox'
import { MAX_SLUG_LENGTH, SLUG_PATTERN } from '../domain/slug.ts'
import { MAX_TITLE_LENGTH } from '../domain/title.ts'

export const PUBLICATION_STATUSES = ['processing', 'ready', 'failed'] as const

type Nullable<T> = T | null

const STORAGE_KEY = '7c0e3c1a-52a1-4c8e-9d0b-3f1f6f0a2b9d'
const WORKSPACE_ID = '2f6b1f0e-8d5a-4a52-9a5d-0c9b7c6a1e34'
const TITLE = 'Annual Report 2026'
const SLUG = 'annual-report-2026'

const count = (description: string, example: number) => Type.Integer({ description, examples: [example] })
const moment = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-05-03T07:02:12.871Z'] })

const uploadReference = {
  storageKey: Type.String({ description: 'As it came with the upload address.', examples: [STORAGE_KEY] }),
  pdfPath: Type.String({
    description: 'As it came with the upload address.',
    examples: [`${WORKSPACE_ID}/${STORAGE_KEY}.pdf`],
  }),
}

export const UploadReference = Type.Object(uploadReference, {
  title: 'FileReplace',
  description: 'A file that was uploaded and is of no publication yet.',
})
export type UploadReference = Static<typeof UploadReference>

export const NewPublication = Type.Object(
  {
    title: Type.String({
      description: `1 to ${MAX_TITLE_LENGTH} characters; white space around it is taken off.`,
      examples: [TITLE],
    }),
    ...uploadReference,
    sourceType: Type.Unsafe<'pdf'>({ type: 'string', enum: ['pdf'], examples: ['pdf'] }),
  },
  { title: 'PublicationCreate' },
)

export const PublicationChange = Type.Object(
  {
    title: Type.Optional(
      Type.Unsafe<Nullable<string>>({
        type: ['string', 'null'],
        description: `1 to ${MAX_TITLE_LENGTH} characters; white space around it is taken off.`,
        examples: [TITLE],
      }),
    ),
    slug: Type.Optional(
      Type.Unsafe<Nullable<string>>({
        type: ['string', 'null'],
        maxLength: MAX_SLUG_LENGTH,
        pattern: SLUG_PATTERN,
        description:
          'What the publication is to be known by: lower-case letters and digits, with `-` between words. It stays known under the slugs it had.',
        examples: [SLUG],
      }),
    ),
  },
  { title: 'PublicationUpdate' },
)
export type PublicationChange = Static<typeof PublicationChange>

const summary = {
  id: Type.String({ format: 'uuid', examples: ['0b51a2de-6f0c-4f2b-9f0e-5f6c8d1e2a77'] }),
  slug: Type.String({ description: 'Stands in its addresses.', examples: [SLUG] }),
  title: Type.String({ examples: [TITLE] }),
  status: Type.Enum(PUBLICATION_STATUSES, {
    description:
      '`processing` until the first 20 pages are rendered, or all of fewer; `failed` where no page could be.',
    examples: ['ready'],
  }),
  page_count: count('Known from the beginning.', 48),
  pages_ready: count('Pages that are rendered, placeholders included. It goes on when `status` is `ready`.', 48),
  size: count('Bytes of the PDF.', 482_113),
  public_url: Type.String({ format: 'uri', examples: [`https://www.example.org/p/${SLUG}`] }),
  failure: Type.Unsafe<Nullable<{ code: string; detail: string }>>({
    type: ['object', 'null'],
    title: 'PublicationFailure',
    required: ['code', 'detail'],
    properties: { code: { type: 'string' }, detail: { type: 'string' } },
    description: 'Why, where `status` is `failed`.',
    examples: [null],
  }),
  unpublished_at: Type.Unsafe<Nullable<string>>({
    type: ['string', 'null'],
    format: 'date-time',
    description: 'Since when it is withdrawn; null while it is public.',
    examples: [null],
  }),
  created_at: moment('When it was created.'),
  updated_at: moment('Moves with every change and when it becomes ready.'),
}

export const ListedPublication = Type.Object(summary, { title: 'PublicationSummary' })
export const PublicationList = Type.Array(ListedPublication, { description: 'All of them, newest first.' })

const details = {
  ...summary,
  failed_pages: Type.Array(
    Type.Object(
      { page: count('The first is 1.', 3), reason: Type.String({ examples: ['The page cannot be read.'] }) },
      { title: 'FailedPage' },
    ),
    { description: 'Pages that could not be rendered; a placeholder stands for each.' },
  ),
  language: Type.Unsafe<Nullable<string>>({
    type: ['string', 'null'],
    description: 'A language tag, as the file has it.',
    examples: ['fr-CH'],
  }),
  findings: Type.Array(Type.String({ examples: ['javascript'] }), {
    description: 'What the file could do besides being read; nothing of it is carried out here.',
  }),
}

export const Publication = Type.Object(details, { title: 'Publication', description: 'A publication as it stands.' })

const PublicationPage = Type.Object(
  {
    page: count('The first is 1.', 1),
    width: count('Of its image, in pixels.', 1200),
    height: count('Of its image, in pixels.', 1697),
    width_pt: Type.Number({ description: 'Of the page, in points.', examples: [595.28] }),
    height_pt: Type.Number({ description: 'Of the page, in points.', examples: [841.89] }),
    label: Type.Optional(
      Type.String({ description: 'What the document calls it, if not by its number.', examples: ['iv'] }),
    ),
    image: Type.String({
      format: 'uri',
      description: 'Its image, WebP or JPEG by `Accept`.',
      examples: ['https://cdn.example.org/images/2b0d6c1e-8a0f-4b52-9f6e-6a1f6a3c1d70/1-1-q3J0c2V0cGFnZWltYWdlMQ'],
    }),
  },
  { title: 'Page' },
)

export const ReadPublication = Type.Object(
  {
    ...details,
    metadata: Type.Object(
      {
        title: Type.Optional(Type.String()),
        author: Type.Optional(Type.String()),
        subject: Type.Optional(Type.String()),
        keywords: Type.Optional(Type.String()),
      },
      { title: 'DocumentMetadata' },
    ),
    outline: Type.Array(
      Type.Object(
        {
          title: Type.String({ examples: ['Introduction'] }),
          depth: count('0 is the outermost; an entry belongs to the last shallower one before it.', 0),
          page: Type.Optional(count('Where it leads.', 3)),
          uri: Type.Optional(Type.String({ description: 'Where it leads, outside of the document.' })),
        },
        { title: 'OutlineEntry' },
      ),
      { description: 'The table of contents.' },
    ),
    pages: Type.Array(PublicationPage, { description: 'In their order.' }),
  },
  { title: 'PublicationDetail', description: 'A publication with what its readers need to show it.' },
)

/** What one report may tell: all pages of a large document, and ten hours. */
const MAX_REPORTED_PAGES = 5_000
const MAX_REPORTED_SEC = 36_000

export const ReadingReport = Type.Object(
  {
    pages: Type.Array(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
      maxItems: MAX_REPORTED_PAGES,
      description: 'Numbers of pages that were on the screen and not yet told of; each counts once.',
      examples: [[1, 2]],
    }),
    seconds: Type.Integer({
      minimum: 0,
      maximum: MAX_REPORTED_SEC,
      description: 'How long pages were on the screen since the last report.',
      examples: [42],
    }),
  },
  { title: 'ReadingReport' },
)
export type ReadingReport = Static<typeof ReadingReport>
