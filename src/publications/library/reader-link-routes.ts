import Type, { type Static } from 'typebox'
import { formatDateTime, momentOf, momentOrNull } from '#platform/basics/time.ts'
import { type HttpServer, noContent } from '#platform/http/http-server.ts'
import { publicationNotFound, readerLinkNotFound, tooManyReaderLinks } from '../errors.ts'
import type { ReaderLinkRules } from '../model/reader-links.ts'
import { MAX_READER_PASSWORD_LENGTH, MIN_READER_PASSWORD_LENGTH } from '../model/reader-passwords.ts'
import { moment, type Nullable, nullableText } from '../model/schemas.ts'
import type { ReaderLinkRow } from '../model/tables.ts'
import type { LibraryDeps } from './library-deps.ts'
import type { PublicationDoor } from './publication-doors.ts'

const LINK_ID = '9f86d081884c7d659a2feaa0c55ad015'
const MAX_KEEP_SEC = 10 * 365 * 86_400

const linkFields = {
  id: Type.String({ description: 'Identifies the link. It opens nothing.', examples: [LINK_ID] }),
  name: nullableText({ description: 'Who has it, or what it is for.', examples: ['The board'] }),
  preview: Type.Boolean({
    description: 'Whether it opens the publication in any state, as its publisher sees it, also as a draft.',
    examples: [false],
  }),
  created_at: moment('Time of creation.'),
  expires_at: Type.Unsafe<Nullable<string>>({
    ...moment('End of the link; null without an end.'),
    type: ['string', 'null'],
  }),
  has_password: Type.Boolean({ description: 'Whether its holders are asked for its own password.', examples: [false] }),
  allow_download: Type.Unsafe<Nullable<boolean>>({
    type: ['boolean', 'null'],
    description: 'Whether its holders get the PDF; null as the publication says.',
    examples: [null],
  }),
}

const ReaderLink = Type.Object(linkFields, { title: 'ReaderLink' })
const ReaderLinkList = Type.Object(
  { links: Type.Array(ReaderLink, { description: 'Newest first.' }) },
  { title: 'ReaderLinkList' },
)
const NewReaderLink = Type.Object(
  {
    ...linkFields,
    url: Type.String({
      format: 'uri',
      description: 'The address to hand out. It is shown only now.',
      examples: ['https://www.example.org/p/annual-report-2026?link=lnk_q83v'],
    }),
  },
  { title: 'NewReaderLink' },
)

const rules = {
  name: Type.Optional(
    nullableText({ maxLength: 200, description: 'Who has it, or what it is for.', examples: ['The board'] }),
  ),
  expires_at: Type.Optional(
    nullableText({
      format: 'date-time',
      description: 'End of the link; null for none.',
      examples: ['2027-05-03T08:00:00.000Z'],
    }),
  ),
  password: Type.Optional(
    nullableText({
      minLength: MIN_READER_PASSWORD_LENGTH,
      maxLength: MAX_READER_PASSWORD_LENGTH,
      description: 'Password that its holders are asked for, in place of that of the publication; null for none.',
      examples: ['a quiet lake at dawn'],
    }),
  ),
  allow_download: Type.Optional(
    Type.Unsafe<Nullable<boolean>>({
      type: ['boolean', 'null'],
      description: 'Whether its holders get the PDF; null as the publication says.',
      examples: [true],
    }),
  ),
}

const ReaderLinkUpdate = Type.Object(rules, {
  title: 'ReaderLinkUpdate',
  description: 'Absent members stay as they are.',
})

const ReaderLinkCreate = Type.Object(
  {
    ...rules,
    keep_sec: Type.Optional(
      Type.Unsafe<Nullable<number>>({
        type: ['integer', 'null'],
        minimum: 60,
        maximum: MAX_KEEP_SEC,
        description: 'Seconds until it ends. Default: without an end.',
        examples: [604_800],
      }),
    ),
    preview: Type.Optional(
      Type.Unsafe<Nullable<boolean>>({
        type: ['boolean', 'null'],
        description: '`true` opens the publication in any state, also as a draft.',
        examples: [false],
      }),
    ),
  },
  { title: 'ReaderLinkCreate' },
)
type ReaderLinkCreate = Static<typeof ReaderLinkCreate>

/** Returns the rules that a body states, as they are stored. */
async function rulesIn(
  { readerPasswords }: LibraryDeps,
  { name, expires_at, password, allow_download }: Static<typeof ReaderLinkUpdate>,
): Promise<Partial<ReaderLinkRules>> {
  return {
    ...(name !== undefined && { name: name?.trim() || null }),
    ...(expires_at !== undefined && { expires_at: momentOf(expires_at) ?? null }),
    ...(password !== undefined && { password_hash: password === null ? null : await readerPasswords.hash(password) }),
    ...(allow_download !== undefined && { allow_download: allow_download === null ? null : Number(allow_download) }),
  }
}

/** Registers the links of a publication at the addresses of a door: `POST`, `GET`, `PATCH` and `DELETE` …/links. */
export function readerLinkRoutes(app: HttpServer, door: PublicationDoor, deps: LibraryDeps): void {
  createAndList(app, door, deps)
  changeAndRevoke(app, door, deps)
}

/** Returns the common parts of all operations. */
function operations(door: PublicationDoor, { publications }: LibraryDeps) {
  return {
    path: `${door.publicationPath}/links`,
    common: { ...door.publications, params: door.publicationParams },
    linkParams: Type.Object({
      ...door.publicationParams.properties,
      linkId: Type.String({ description: "The link's `id`.", examples: [LINK_ID] }),
    }),
    async find(request: Parameters<PublicationDoor['find']>[0]) {
      const { workspaceId, slug } = await door.find(request)
      return await publications.getOwned(workspaceId, slug)
    },
  }
}

function createAndList(app: HttpServer, door: PublicationDoor, deps: LibraryDeps): void {
  const { readerLinks, addresses, now } = deps
  const { path, common, find } = operations(door, deps)
  app.post(
    path,
    {
      schema: {
        operationId: door.operationId('createReaderLink'),
        summary: 'Create a reader link',
        description: `Whoever has the link reads the publication, also while it is \`restricted\`. Its address is part of this answer only; the
server does not keep it. Programs send the part after \`link=\` as \`Authorization: Bearer\`.`,
        ...common,
        body: ReaderLinkCreate,
        problems: [publicationNotFound, tooManyReaderLinks],
        response: { 201: NewReaderLink },
      },
    },
    async (request, reply) => {
      const { keep_sec, preview, ...body }: ReaderLinkCreate = request.body
      const { id, slug } = await find(request)
      const { row, token } = await readerLinks.create(id, {
        isPreview: preview === true,
        name: null,
        password_hash: null,
        allow_download: null,
        expires_at: keep_sec == null ? null : now() + keep_sec * 1000,
        ...(await rulesIn(deps, body)),
      })
      return reply.code(201).send({ ...linkJson(row), url: `${addresses.public()}/p/${slug}?link=${token}` })
    },
  )

  app.get(
    path,
    {
      schema: {
        operationId: door.operationId('listReaderLinks'),
        summary: 'List the reader links of a publication',
        description: 'Lists them without their addresses, also those that have ended.',
        ...common,
        problems: [publicationNotFound],
        response: { 200: ReaderLinkList },
      },
    },
    async (request) => ({ links: (await readerLinks.list((await find(request)).id)).map(linkJson) }),
  )
}

function changeAndRevoke(app: HttpServer, door: PublicationDoor, deps: LibraryDeps): void {
  const { readerLinks } = deps
  const { path, common, linkParams, find } = operations(door, deps)
  app.patch(
    `${path}/:linkId`,
    {
      schema: {
        operationId: door.operationId('updateReaderLink'),
        summary: 'Change a reader link',
        description:
          'Takes effect at once. Another password ends the addresses of images and files that readers of the publication hold.',
        ...common,
        params: linkParams,
        body: ReaderLinkUpdate,
        problems: [publicationNotFound, readerLinkNotFound],
        response: { 200: ReaderLink },
      },
    },
    async (request) => {
      const { id } = await find(request)
      const { linkId } = request.params as { linkId: string }
      const changed = await readerLinks.change(id, linkId, await rulesIn(deps, request.body))
      await deps.deliveredFiles.announceChange(id)
      return linkJson(changed)
    },
  )

  app.delete(
    `${path}/:linkId`,
    {
      schema: {
        operationId: door.operationId('revokeReaderLink'),
        summary: 'Revoke a reader link',
        description: 'Ends the link, and every address of an image or a file that was issued for it, at once.',
        ...common,
        params: linkParams,
        problems: [publicationNotFound, readerLinkNotFound],
        response: { 204: noContent('The link is revoked.') },
      },
    },
    async (request, reply) => {
      const { id } = await find(request)
      await readerLinks.revoke(id, (request.params as { linkId: string }).linkId)
      return reply.code(204).send()
    },
  )
}

function linkJson(row: ReaderLinkRow): Static<typeof ReaderLink> {
  const { id, name, is_preview, created_at, expires_at, password_hash, allow_download } = row
  return {
    id,
    name,
    preview: is_preview === 1,
    created_at: formatDateTime(created_at),
    expires_at: momentOrNull(expires_at),
    has_password: password_hash !== null,
    allow_download: allow_download === null ? null : allow_download === 1,
  }
}
