import Type, { type Static } from 'typebox'
import { momentOf } from '#platform/basics/time.ts'
import { nullable, nullableText, ruledBy, ruledTogether } from '#platform/http/field-rules.ts'
import {
  FIRST_VIEWS,
  type FirstView,
  MAX_AUTHOR_LENGTH,
  MAX_DESCRIPTION_LENGTH,
  MAX_TITLE_LENGTH,
  SLUG_PATTERN,
  titleProblem,
} from './fields.ts'
import type { Schedule } from './publication-edits.ts'
import { MAX_READER_PASSWORD_LENGTH, MIN_READER_PASSWORD_LENGTH } from './reader-passwords.ts'
import { ACCESSES, type Access } from './reading.ts'
import { SLUG, STORAGE_KEY, TITLE, WORKSPACE_ID } from './schemas.ts'
import { MAX_SLUG_LENGTH, slugProblem } from './slug.ts'
import { languageProblem, statementConflicts } from './statements.ts'

// Schemas of requests that create or change a publication.

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

const fromFile = (description: string) => nullable<boolean>('boolean', { description, examples: [false] })

/** Statements of a publisher about a document. */
const statementsUpdate = Type.Partial(
  Type.Object({
    language: nullableText({
      maxLength: 100,
      ...ruledBy(languageProblem),
      description:
        'Language of the document as a tag (BCP 47), instead of that of the file; an empty text states none.',
      examples: ['fr-CH'],
    }),
    author: nullableText({
      maxLength: MAX_AUTHOR_LENGTH,
      description: 'Author; an empty text states none.',
      examples: ['Ada Lovelace'],
    }),
    description: nullableText({
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
const accessUpdate = Type.Optional(
  nullable<Access>('string', {
    enum: [...ACCESSES, null],
    description:
      'Who may read it: `public`, `unlisted` (whoever knows the address; in no sitemap or search engine) or `restricted` (only through reader links). A change ends every address of its images and its file at once.',
    examples: ['unlisted'],
  }),
)

const momentUpdate = (description: string, example: string) =>
  Type.Optional(nullableText({ format: 'date-time', description, examples: [example] }))

/** The times between which a publication is read. */
const scheduleUpdate = {
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
const passwordUpdate = Type.Optional(
  nullableText({
    minLength: MIN_READER_PASSWORD_LENGTH,
    maxLength: MAX_READER_PASSWORD_LENGTH,
    description:
      'Password that readers are asked for after the rule of `access`; null for none. It is never returned. Another one ends what was opened by the former, and every address of its images and its file, at once.',
    examples: ['a quiet lake at dawn'],
  }),
)

/** The choice to give readers the PDF. */
const downloadUpdate = Type.Optional(
  nullable<boolean>('boolean', {
    description:
      '`false`: readers do not get the PDF, at `…/pdf` nor `…/download`, and the page does not offer it. Images and text stay readable, and can be copied.',
    examples: [true],
  }),
)

/** The view in which readers begin. */
const firstViewUpdate = Type.Optional(
  nullable<FirstView>('string', {
    enum: [...FIRST_VIEWS, null],
    description:
      'How readers see it at first, until they choose another view: `scroll`, all pages in a row; `book`, two pages, the cover alone; `slides`, one page at a time. null: `slides` if all pages are wide, or else `scroll`.',
    examples: ['book'],
  }),
)

/** The choice to recognise the text of scans. */
const recognitionUpdate = Type.Optional(
  nullable<boolean>('boolean', {
    description:
      '`false`: text of pages without any is not recognised. What was recognised before stays. `true` goes on, unless recognition is off on this server.',
    examples: [true],
  }),
)

/** The collection of a publication. */
const collectionUpdate = Type.Optional(
  nullableText({
    format: 'uuid',
    description: 'Collection of the workspace that it is in, by its `id`; null for none.',
    examples: [null],
  }),
)

/** The choices of a publisher beside title and slug, which every request has that creates or changes a publication. */
export const publicationChoices = {
  access: accessUpdate,
  ...scheduleUpdate,
  password: passwordUpdate,
  allow_download: downloadUpdate,
  first_view: firstViewUpdate,
  recognize_text: recognitionUpdate,
  collection_id: collectionUpdate,
  ...statementsUpdate,
}

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
      nullable<boolean>('boolean', {
        description:
          '`true` creates a draft, to be published later. Until then, readers get what an unknown slug gets.',
        examples: [false],
      }),
    ),
    ...publicationChoices,
  },
  { title: 'PublicationCreate', ...ruledTogether(statementConflicts) },
)

export const PublicationUpdate = Type.Object(
  {
    title: Type.Optional(
      nullableText({
        ...ruledBy(titleProblem),
        description: `1 to ${MAX_TITLE_LENGTH} characters; surrounding white space is removed.`,
        examples: [TITLE],
      }),
    ),
    slug: Type.Optional(
      nullableText({
        maxLength: MAX_SLUG_LENGTH,
        pattern: SLUG_PATTERN,
        ...ruledBy(slugProblem),
        description:
          'New slug: lower-case letters and digits, with `-` between words. Former slugs still lead to the publication.',
        examples: [SLUG],
      }),
    ),
    ...publicationChoices,
  },
  { title: 'PublicationUpdate', ...ruledTogether(statementConflicts) },
)
export type PublicationUpdate = Static<typeof PublicationUpdate>
