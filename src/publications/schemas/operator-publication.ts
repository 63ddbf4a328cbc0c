import Type, { type Static } from 'typebox'
import { MAX_SLUG_LENGTH, SLUG_PATTERN } from '../domain/slug.ts'
import { MAX_TITLE_LENGTH } from '../domain/title.ts'
import { count, nullableText, SLUG, WORKSPACE_ID } from './fields.ts'
import { LibraryEntry } from './library.ts'
import { UploadReference } from './publication.ts'

export const OperatorPublication = Type.Object(
  {
    ...LibraryEntry.properties,
    workspace: Type.Object(
      {
        id: Type.String({ format: 'uuid', examples: [WORKSPACE_ID] }),
        name: Type.String({ examples: ['Communication'] }),
      },
      { title: 'WorkspaceReference' },
    ),
    former_slugs: Type.Array(Type.String({ examples: ['annual-report'] }), {
      description: 'Slugs it had before, which still lead to it.',
    }),
    failed_pages: Type.Array(
      Type.Object(
        {
          page: count('The first is 1.', 3),
          code: Type.String({ description: 'The reason in one word.', examples: ['page_damaged'] }),
          reason: Type.String({ examples: ['The page cannot be read.'] }),
        },
        { title: 'OperatorFailedPage' },
      ),
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
  { title: 'OperatorPublicationUpdate', description: 'What is left out stays.' },
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
  { title: 'OperatorUploadTicketCreate' },
)
export type OperatorUploadRequest = Static<typeof OperatorUploadRequest>

// The ticket is `UploadTicket`, and PUT …/file takes `UploadReference`, as in the API for workspaces.

export const OperatorNewPublication = Type.Object(
  { title, ...UploadReference.properties },
  { title: 'OperatorPublicationCreate', description: 'A publication from a file that was uploaded.' },
)
export type OperatorNewPublication = Static<typeof OperatorNewPublication>
