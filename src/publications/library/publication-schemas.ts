import Type, { type Static } from 'typebox'
import { nullableText, ruledBy, ruledTogether } from '#platform/http/field-rules.ts'
import { sourceType, storagePathProblem, ticketProblems } from '../documents/schemas.ts'
import { MAX_TITLE_LENGTH, SLUG_PATTERN, titleProblem } from '../model/fields.ts'
import { shownStatements, statementSources } from '../model/publication-answer-schemas.ts'
import { FileReplace, publicationChoices } from '../model/publication-update-schemas.ts'
import { count, SLUG, WORKSPACE_ID } from '../model/schemas.ts'
import { MAX_SLUG_LENGTH, slugProblem } from '../model/slug.ts'
import { statementConflicts } from '../model/statements.ts'
import { LibraryEntry } from './library-schemas.ts'

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
      description: 'Former slugs, which still lead to it.',
    }),
    failed_pages: Type.Array(
      Type.Object(
        {
          page: count('The first is 1.', 3),
          code: Type.String({ description: 'Code of the reason.', examples: ['page_damaged'] }),
          reason: Type.String({ examples: ['The page cannot be read.'] }),
        },
        { title: 'OperatorFailedPage' },
      ),
      { description: 'Pages that could not be rendered; each is shown as a placeholder.' },
    ),
    pages_without_text: Type.Array(count('The first is 1.', 4), {
      description:
        'Finished pages without text for screen readers and search engines, such as scans without recognised text.',
    }),
    ...shownStatements,
    stated: Type.Object(shownStatements, {
      title: 'OwnStatements',
      description: "The publisher's own statements; null where there is none.",
    }),
    ...statementSources,
    is_tagged: Type.Boolean({
      description: 'Whether the file describes its own structure, headings and reading order.',
      examples: [true],
    }),
    findings: Type.Array(Type.String({ examples: ['javascript'] }), {
      description: 'Active content of the file; none of it is executed here.',
    }),
    outline_count: count('Number of entries in the table of contents.', 12),
    version: count('1 for the file it was created from, increased with each replacement.', 1),
    sha256: Type.String({
      description: 'SHA-256 of the PDF, in hexadecimal.',
      examples: ['2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae'],
    }),
    identical_to: Type.Array(
      Type.Object(
        {
          id: Type.String({ examples: ['0b51a2de-6f0c-4f2b-9f0e-5f6c8d1e2a77'] }),
          slug: Type.String({ examples: [`${SLUG}-2`] }),
          title: Type.String({ examples: ['Annual Report 2026'] }),
        },
        { title: 'IdenticalPublication' },
      ),
      { description: 'Other publications of the workspace with the same file, five at most.' },
    ),
    damage: Type.Union(
      [
        Type.Null(),
        Type.Object(
          {
            document: Type.Union([Type.Null(), Type.Literal('missing'), Type.Literal('damaged')], {
              description: 'What is wrong with the PDF, or with that of an earlier version.',
              examples: ['missing'],
            }),
            images: count('Number of page images that are missing or damaged.', 2),
          },
          { title: 'PublicationDamage' },
        ),
      ],
      {
        description:
          'Stored files that are missing or damaged, as far as the server has looked at them; null if none is.',
        examples: [null],
      },
    ),
    embed_url: Type.String({ format: 'uri', examples: [`https://www.example.org/p/${SLUG}/embed`] }),
    embed_html: Type.String({
      description: 'HTML that embeds it in another page.',
      examples: [`<iframe src="https://www.example.org/p/${SLUG}/embed" width="720" height="960"></iframe>`],
    }),
  },
  { title: 'OperatorPublication', description: 'A publication for operators.' },
)
export type OperatorPublication = Static<typeof OperatorPublication>

const title = Type.String({
  ...ruledBy(titleProblem),
  description: `1 to ${MAX_TITLE_LENGTH} characters; surrounding white space is removed.`,
  examples: ['Annual Report 2026'],
})

export const OperatorPublicationUpdate = Type.Object(
  {
    title: Type.Optional(title),
    slug: Type.Optional(
      Type.String({
        maxLength: MAX_SLUG_LENGTH,
        pattern: SLUG_PATTERN,
        ...ruledBy(slugProblem),
        description: 'New slug; former slugs still lead to the publication.',
        examples: [SLUG],
      }),
    ),
    ...publicationChoices,
  },
  {
    title: 'OperatorPublicationUpdate',
    description: 'Absent members stay as they are.',
    ...ruledTogether(statementConflicts),
  },
)
export type OperatorPublicationUpdate = Static<typeof OperatorPublicationUpdate>

export const OperatorUploadTicketCreate = Type.Object(
  {
    type: Type.Optional(sourceType),
    path: Type.Optional(
      nullableText({
        ...ruledBy(storagePathProblem),
        description: 'Folders and file name of the file; by default it gets a path of its own.',
        examples: ['2026/plan.pdf'],
      }),
    ),
  },
  { title: 'OperatorUploadTicketCreate', ...ruledTogether(ticketProblems) },
)
export type OperatorUploadTicketCreate = Static<typeof OperatorUploadTicketCreate>

// The ticket is `UploadTicket`, and PUT …/file takes `FileReplace`, as in the API for workspaces.

export const OperatorPublicationCreate = Type.Object(
  {
    title: Type.Optional(title),
    file_name: Type.Optional(
      Type.String({
        ...ruledBy(titleProblem),
        description: 'Title for a file that states none, such as its name without `.pdf`. Required without `title`.',
        examples: ['annual-report-2026'],
      }),
    ),
    draft: Type.Optional(
      Type.Boolean({
        description: '`true` creates a draft, which readers do not find before it is published.',
        examples: [false],
      }),
    ),
    ...publicationChoices,
    ...FileReplace.properties,
  },
  {
    title: 'OperatorPublicationCreate',
    description: 'A publication from an uploaded file.',
    ...ruledTogether((body: { title?: unknown; file_name?: unknown }) => [
      ...(body.title === undefined && body.file_name === undefined
        ? [{ path: 'title', message: 'is required without file_name' }]
        : []),
      ...statementConflicts(body),
    ]),
  },
)
export type OperatorPublicationCreate = Static<typeof OperatorPublicationCreate>
