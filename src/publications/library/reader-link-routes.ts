import Type, { type Static } from 'typebox'
import { formatDateTime, momentOrNull } from '#platform/basics/time.ts'
import { type HttpServer, noContent } from '#platform/http/http-server.ts'
import { publicationNotFound, readerLinkNotFound, tooManyReaderLinks } from '../errors.ts'
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

const ReaderLinkCreate = Type.Object(
  {
    name: Type.Optional(
      nullableText({ maxLength: 200, description: 'Who has it, or what it is for.', examples: ['The board'] }),
    ),
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

/** Registers the links of a publication at the addresses of a door: `POST`, `GET` and `DELETE` …/links. */
export function readerLinkRoutes(app: HttpServer, door: PublicationDoor, deps: LibraryDeps): void {
  const { publications, readerLinks, addresses, now } = deps
  const path = `${door.publicationPath}/links`
  const common = { ...door.publications, params: door.publicationParams }
  const find = async (request: Parameters<PublicationDoor['find']>[0]) => {
    const { workspaceId, slug } = await door.find(request)
    return await publications.getOwned(workspaceId, slug)
  }

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
      const { name, keep_sec, preview }: ReaderLinkCreate = request.body
      const { id, slug } = await find(request)
      const { row, token } = await readerLinks.create(id, {
        name: name?.trim() || null,
        isPreview: preview === true,
        expiresAtMs: keep_sec == null ? null : now() + keep_sec * 1000,
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

  app.delete(
    `${path}/:linkId`,
    {
      schema: {
        operationId: door.operationId('revokeReaderLink'),
        summary: 'Revoke a reader link',
        description: 'Ends the link, and every address of an image or a file that was issued for it, at once.',
        ...common,
        params: Type.Object({
          ...door.publicationParams.properties,
          linkId: Type.String({ description: "The link's `id`.", examples: [LINK_ID] }),
        }),
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

function linkJson({ id, name, is_preview, created_at, expires_at }: ReaderLinkRow): Static<typeof ReaderLink> {
  return {
    id,
    name,
    preview: is_preview === 1,
    created_at: formatDateTime(created_at),
    expires_at: momentOrNull(expires_at),
  }
}
