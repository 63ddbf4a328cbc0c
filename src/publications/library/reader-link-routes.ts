import Type, { type Static } from 'typebox'
import { csvFile } from '#platform/basics/csv.ts'
import { formatDateTime, momentOf, momentOrNull } from '#platform/basics/time.ts'
import { contentDisposition } from '#platform/http/content-disposition.ts'
import { type HttpServer, noContent } from '#platform/http/http-server.ts'
import { type LinkTotals, NO_FIGURES } from '../figures/store.ts'
import { publicationNotFound, readerLinkNotFound, tooManyReaderLinks } from '../model/errors.ts'
import type { ReaderLinkRules } from '../model/reader-links.ts'
import { pageAddress, siteOf } from '../model/sites.ts'
import type { ReaderLinkRow } from '../model/tables.ts'
import type { LibraryDeps } from './library-deps.ts'
import { belowPublication, type PublicationDoor } from './publication-doors.ts'
import {
  LINK_ID,
  type LinkFigures,
  type ListedReaderLink,
  NewReaderLink,
  ReaderLink,
  ReaderLinkCreate,
  ReaderLinkList,
  ReaderLinksQuery,
  ReaderLinkUpdate,
} from './reader-link-schemas.ts'

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
function operations(door: PublicationDoor, deps: LibraryDeps) {
  return {
    ...belowPublication(door, deps, 'links'),
    linkParams: Type.Object({
      ...door.publicationParams.properties,
      linkId: Type.String({ description: "The link's `id`.", examples: [LINK_ID] }),
    }),
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
      const { id, slug, domain } = await find(request)
      const { row, token } = await readerLinks.create(id, {
        isPreview: preview === true,
        name: null,
        password_hash: null,
        allow_download: null,
        expires_at: keep_sec == null ? null : now() + keep_sec * 1000,
        ...(await rulesIn(deps, body)),
      })
      return reply
        .code(201)
        .send({ ...linkJson(row), url: `${pageAddress(siteOf(addresses, domain), slug)}?link=${token}` })
    },
  )

  app.get(
    path,
    {
      schema: {
        operationId: door.operationId('listReaderLinks'),
        summary: 'List the reader links of a publication',
        description: `Lists them without their addresses, also those that have ended, each with its figures, as JSON or CSV. What is read
by a link also counts for the publication. No cookies are used to count, and days are in UTC.`,
        ...common,
        querystring: ReaderLinksQuery,
        produces: ['application/json', 'text/csv'],
        problems: [publicationNotFound],
        response: { 200: Type.Unsafe<ReaderLinkList | string>(ReaderLinkList) },
      },
      serializerCompiler: () => JSON.stringify,
    },
    async (request, reply) => {
      const { id, slug } = await find(request)
      const rows = await readerLinks.list(id)
      const totals = await deps.figures.ofLinks(rows.map((row) => row.id))
      const links = rows.map((row) => ({ ...linkJson(row), figures: figuresJson(totals.get(row.id)) }))
      if (request.query.format !== 'csv') return reply.send({ links })
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', contentDisposition('attachment', `reader links ${slug}`, 'csv'))
        .serializer(String)
        .send(linksCsv(links))
    },
  )
}

function figuresJson({ page: pages, lastDay, ...sums }: LinkTotals = NO_FIGURES): Static<typeof LinkFigures> {
  return { ...sums, pages, last_seen: lastDay }
}

const COUNTED = ['views', 'readers', 'pages', 'seconds', 'downloads', 'last_seen'] as const
const STATED = ['name', 'created_at', 'expires_at'] as const

function linksCsv(links: readonly ListedReaderLink[]): string {
  const lines = links.map((link) => [
    ...STATED.map((field) => link[field]),
    ...COUNTED.map((figure) => link.figures[figure]),
  ])
  return csvFile([[...STATED, ...COUNTED], ...lines])
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
        description:
          'Ends the link, and every address of an image or a file that was issued for it, at once. Its figures are deleted.',
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
