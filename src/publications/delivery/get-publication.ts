import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import Type from 'typebox'
import { methodNotAllowed, rateLimited } from '#platform/basics/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { toAppError } from '#platform/http/problem.ts'
import { publicationNotFound, publicationUnpublished, readerPasswordRequired } from '../model/errors.ts'
import { getPublishedFile } from '../model/files-store.ts'
import { PublicationDetail } from '../model/publication-answer-schemas.ts'
import { listedJson } from '../model/publication-json.ts'
import { SlugParams } from '../model/schemas.ts'
import type { DeliveryDeps } from './delivery-deps.ts'

/** An audience that sees single publications: readers, who name them by slug, and signed-in operators, by id. */
export type PublicationViewDoor = {
  audience: 'reader' | 'operator'
  publicationPath: string
  publications: { tags: string[] }
  publicationParams: TSchema
  Publication: TSchema
  /** Answers with the publication that a request names. @throws publicationNotFound, publicationUnpublished */
  show(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
}

const OPERATIONS = {
  reader: {
    operationId: 'getPublication',
    summary: 'Get a publication',
    description: `Returns everything that is needed to show a publication: its pages with their sizes and images, its table of
contents and its metadata. All of it is available while the publication is \`processing\`.`,
    problems: [publicationNotFound, publicationUnpublished, readerPasswordRequired, rateLimited],
  },
  operator: {
    operationId: 'operatorGetPublication',
    summary: 'Get a publication by its id',
    description: 'Includes what its owner should know: findings, failed pages, pages without text, and the embed code.',
    problems: [publicationNotFound],
  },
}

/** GET /publications/:slug */
export function getPublication(app: HttpServer, door: PublicationViewDoor): void {
  const { audience, publicationPath, publications, publicationParams, Publication, show } = door
  const schema = {
    ...OPERATIONS[audience],
    ...publications,
    params: publicationParams,
    response: { 200: Publication },
  }
  app.get(publicationPath, { schema }, show)
}

/** A publication may have the slug that is also the address of another operation. */
const UPLOAD_URL = 'upload-url'
const onlyPost = () => methodNotAllowed({ headers: { allow: 'POST' } })

/** Returns the door for readers. A part of the answer is cached as JSON. */
export function readerDoor(deps: DeliveryDeps): PublicationViewDoor {
  const { publications, pages, readerLinks, readerFacts, addresses, now } = deps
  return {
    audience: 'reader',
    publicationPath: '/publications/:slug',
    publications: { tags: ['Publications'] },
    publicationParams: SlugParams,
    Publication: PublicationDetail,
    async show(request, reply) {
      const { slug } = request.params as { slug: string }
      const publication = await publications.getPublished(slug, await readerLinks.of(request)).catch((error) => {
        throw slug === UPLOAD_URL && toAppError(error).status === 404 ? onlyPost() : error
      })
      const failed = await pages.listFailed(publication.version_id)
      const failed_pages = failed.map(({ page, reason }) => ({ page, reason }))
      const changing = JSON.stringify({ ...listedJson(publication, addresses, now()), failed_pages })
      const json = `${changing.slice(0, -1)},${await readerFacts.membersOf(publication)}}`
      return reply.type('application/json; charset=utf-8').header('cache-control', 'no-store').send(Buffer.from(json))
    },
  }
}

const Images = Type.Object(
  {
    images: Type.Array(Type.String({ format: 'uri' }), {
      description: 'One address per page, in page order. An image is WebP if `Accept` names it, else JPEG.',
      examples: [['https://cdn.example.org/images/2b0d6c1e-8a0f-4b52-9f6e-6a1f6a3c1d70/1-1-q3J0c2V0cGFnZWltYWdlMQ']],
    }),
  },
  { title: 'Images' },
)

/** GET /publications/:slug/images */
export function getImages(app: HttpServer, { files, readerLinks, imageLists }: DeliveryDeps) {
  app.get(
    '/publications/:slug/images',
    {
      schema: {
        operationId: 'getPublicationImages',
        summary: 'Get the addresses of the page images',
        description: `Returns all addresses from the beginning: a request for a page that is not rendered yet waits for it, at most
30 seconds. An image never changes under its address and may be cached; images of an unpublished publication are gone. Unless the
publication is public, an address works for 5 to 10 minutes, and no cache may keep the image.`,
        tags: ['Publications'],
        params: SlugParams,
        problems: [publicationNotFound, publicationUnpublished, readerPasswordRequired, rateLimited],
        response: { 200: Type.Unsafe<Buffer>(Images) },
      },
      // The answer is cached as bytes; the schema only describes it.
      serializerCompiler: () => JSON.stringify,
    },
    async (request, reply) => {
      const file = await getPublishedFile(files, request.params.slug, await readerLinks.of(request))
      return reply
        .type('application/json; charset=utf-8')
        .header('cache-control', 'no-store')
        .send(imageLists.jsonOf(file))
    },
  )
}
