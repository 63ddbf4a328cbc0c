import Type from 'typebox'
import { type Nullable, nullable, nullableText } from '#platform/http/field-rules.ts'
import { FIRST_VIEWS, type FirstView, PUBLICATION_STATUSES } from './fields.ts'
import { ACCESSES, VISIBILITIES } from './reading.ts'
import { count, moment, nullableMoment, SLUG, TITLE } from './schemas.ts'

// Schemas of answers with publications.

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
  publish_at: nullableMoment('Time before which readers do not find it; null for none.'),
  expires_at: nullableMoment('Time from which nobody reads it; null for none.'),
  has_password: Type.Boolean({ description: 'Whether readers are asked for a password.', examples: [false] }),
  allow_download: Type.Boolean({ description: 'Whether readers get the PDF.', examples: [true] }),
  first_view: nullable<FirstView>('string', {
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
  unpublished_at: nullableText({
    format: 'date-time',
    description: 'Time at which it was unpublished; null while it is published, and for a draft.',
    examples: [null],
  }),
  created_at: moment('Time of creation.'),
  updated_at: moment('Time of the last change, including the one to `ready`.'),
}

export const PublicationSummary = Type.Object(summary, { title: 'PublicationSummary' })
export const PublicationList = Type.Array(PublicationSummary, { description: 'Publications, newest first.' })

const shown = (description: string, example: string) => nullableText({ description, examples: [example] })

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
