import Type, { type Static } from 'typebox'
import { nullableText, ruledBy } from '#platform/http/field-rules.ts'
import { accentProblem, contactProblem, domainProblem } from '../model/face-fields.ts'
import { MAX_WORKSPACE_NAME_LENGTH, SLUG_PATTERN, workspaceNameProblem } from '../model/fields.ts'
import { WORKSPACE_ID } from '../model/schemas.ts'
import { MAX_SLUG_LENGTH } from '../model/slug.ts'
import { DOMAIN_STATES } from './own-hosts.ts'

const MAX_ABOUT_LENGTH = 2_000
const MAX_WEBSITE_LENGTH = 500
const MAX_LICENSE_LENGTH = 200
/** Publications that a publisher puts in an order of their own. */
const MAX_ORDERED = 1_000

const SLUG_EXAMPLE = 'university-of-lausanne'
const SITE = 'https://www.example.org'
const CONTACT = 'archive@example.org'
const LICENSE = 'CC BY 4.0'
const DOMAIN = 'reports.example.org'

export const FaceUpdate = Type.Object(
  {
    slug: Type.String({
      pattern: SLUG_PATTERN,
      maxLength: MAX_SLUG_LENGTH,
      description: 'Part of the address of the shelf. A former one still leads to it.',
      examples: [SLUG_EXAMPLE],
    }),
    name: Type.String({
      ...ruledBy(workspaceNameProblem),
      description: `Name for readers, of 1 to ${MAX_WORKSPACE_NAME_LENGTH} characters.`,
      examples: ['University of Lausanne'],
    }),
    about: Type.Optional(
      nullableText({
        maxLength: MAX_ABOUT_LENGTH,
        description: 'Some sentences for readers, as plain text.',
        examples: ['Reports and studies.'],
      }),
    ),
    website: Type.Optional(
      nullableText({ format: 'uri', maxLength: MAX_WEBSITE_LENGTH, description: 'Its own site.', examples: [SITE] }),
    ),
    contact: Type.Optional(
      nullableText({
        ...ruledBy(contactProblem),
        description: 'An e-mail address, or the https address of a page, for readers.',
        examples: [CONTACT],
      }),
    ),
    license: Type.Optional(
      nullableText({
        maxLength: MAX_LICENSE_LENGTH,
        description: 'What readers may do with the publications, as plain text.',
        examples: [LICENSE],
      }),
    ),
    accent_color: Type.Optional(
      nullableText({
        ...ruledBy(accentProblem),
        description: 'Colour of links and buttons; its contrast with the page must be at least 4.5:1.',
        examples: ['#0b6158'],
      }),
    ),
  },
  { title: 'FaceUpdate', description: 'Absent or null members are none.' },
)
export type FaceUpdate = Static<typeof FaceUpdate>

export const WorkspaceFace = Type.Object(
  {
    slug: Type.String({ examples: [SLUG_EXAMPLE] }),
    name: Type.String({ examples: ['University of Lausanne'] }),
    about: nullableText({ description: 'Null for none.', examples: ['Reports and studies.'] }),
    website: nullableText({ description: 'Null for none.', examples: [SITE] }),
    contact: nullableText({ description: 'Null for none.', examples: [CONTACT] }),
    license: nullableText({ description: 'Null for none.', examples: [LICENSE] }),
    accent_color: nullableText({ description: 'Null for that of the program.', examples: ['#0b6158'] }),
    logo_url: nullableText({
      description: 'Null without a logo.',
      examples: [`${SITE}/w/${SLUG_EXAMPLE}/logo-0b51a2de6f0c.png`],
    }),
    domain: nullableText({ description: 'Host name of its own, in ASCII; null for none.', examples: [DOMAIN] }),
    shelf_url: Type.String({ description: 'Address of the shelf.', examples: [`${SITE}/w/${SLUG_EXAMPLE}`] }),
    order: Type.Array(Type.String({ examples: [WORKSPACE_ID] }), {
      description: 'Ids of the publications that come first on the shelf. All others follow, newest first.',
    }),
  },
  { title: 'WorkspaceFace', description: 'What readers see of a workspace.' },
)
export type WorkspaceFace = Static<typeof WorkspaceFace>

export const FaceAnswer = Type.Object(
  {
    face: Type.Union([WorkspaceFace, Type.Null()], {
      description: 'Null without one.',
      examples: [
        {
          slug: SLUG_EXAMPLE,
          name: 'University of Lausanne',
          about: 'Reports and studies.',
          website: SITE,
          contact: CONTACT,
          license: LICENSE,
          accent_color: '#0b6158',
          logo_url: null,
          domain: null,
          shelf_url: `${SITE}/w/${SLUG_EXAMPLE}`,
          order: [],
        },
      ],
    }),
  },
  { title: 'WorkspaceFaceAnswer' },
)

export const ShelfOrder = Type.Object(
  {
    publication_ids: Type.Array(Type.String({ format: 'uuid', examples: [WORKSPACE_ID] }), {
      maxItems: MAX_ORDERED,
      uniqueItems: true,
      description: 'Ids of publications of the workspace; others are ignored. All others follow, newest first.',
    }),
  },
  { title: 'ShelfOrder' },
)

export const DomainUpdate = Type.Object(
  {
    domain: nullableText({
      ...ruledBy(domainProblem),
      description:
        'Host name whose DNS leads to this server. Letters beyond ASCII are stored as `xn--…`; null for none.',
      examples: [DOMAIN],
    }),
  },
  { title: 'DomainUpdate' },
)

export const DomainCheck = Type.Object(
  {
    domain: nullableText({ description: 'The host name; null for none.', examples: [DOMAIN] }),
    state: Type.Union([Type.Enum(DOMAIN_STATES), Type.Null()], {
      description:
        '`here`: its addresses are those of this server. `elsewhere`: they are others. `unresolved`: DNS knows none. `unknown`: there is nothing to compare, because the name of this server is in no DNS. Null without a host name.',
      examples: ['here'],
    }),
    server_name: Type.String({
      description: 'Host name of the public site, to which a CNAME record of the host name leads.',
      examples: ['www.example.org'],
    }),
  },
  { title: 'DomainCheck' },
)

export const LogoFile = Type.String({
  description: 'A PNG, JPEG or WebP image of up to 2 MiB and 25 million pixels.',
  format: 'binary',
})
