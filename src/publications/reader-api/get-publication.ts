import Type from 'typebox'
import { methodNotAllowed, rateLimited } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { toAppError } from '#platform/http/problems/problem.ts'
import type { Addresses } from '../domain/addresses.ts'
import { publicationNotFound, publicationUnpublished } from '../errors.ts'
import { listedJson } from '../representations/publication-json.ts'
import { PublicationDetail } from '../schemas/publication.ts'
import { SlugParams } from '../schemas/slug-params.ts'
import type { PagesStore } from '../storage/pages-store.ts'
import type { PublicationsStore } from '../storage/publications-store.ts'
import type { ReaderFactsCache } from './reader-facts-cache.ts'

/** A publication may have the slug that is also the address of another operation. */
const UPLOAD_URL = 'upload-url'
const onlyPost = () => methodNotAllowed({ headers: { allow: 'POST' } })

type Deps = {
  publications: Pick<PublicationsStore, 'getPublished'>
  pages: Pick<PagesStore, 'listFailed'>
  readerFacts: ReaderFactsCache
  addresses: Addresses
}

/** GET /publications/:slug */
export function getPublication(app: HttpServer, deps: Deps) {
  const { publications, pages, readerFacts, addresses } = deps
  app.get(
    '/publications/:slug',
    {
      schema: {
        operationId: 'getPublication',
        summary: 'Get a publication',
        description: `Returns everything that is needed to show a publication: its pages with their sizes and images, its table of
contents and its metadata. All of it is available while the publication is \`processing\`.`,
        tags: ['Publications'],
        params: SlugParams,
        problems: [publicationNotFound, publicationUnpublished, rateLimited],
        response: { 200: Type.Unsafe<Buffer>(PublicationDetail) },
      },
      // A part of the answer is cached as JSON; the schema only describes it.
      serializerCompiler: () => JSON.stringify,
    },
    async ({ params }, reply) => {
      const publication = await publications.getPublished(params.slug).catch((error) => {
        throw params.slug === UPLOAD_URL && toAppError(error).status === 404 ? onlyPost() : error
      })
      const failed = await pages.listFailed(publication.version_id)
      const failed_pages = failed.map(({ page, reason }) => ({ page, reason }))
      const changing = JSON.stringify({ ...listedJson(publication, addresses), failed_pages })
      const json = `${changing.slice(0, -1)},${await readerFacts.membersOf(publication)}}`
      return reply.type('application/json; charset=utf-8').header('cache-control', 'no-store').send(Buffer.from(json))
    },
  )
}
