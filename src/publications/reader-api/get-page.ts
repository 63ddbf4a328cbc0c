import Type from 'typebox'
import { notFound, rateLimited } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { isNotModified } from '#platform/http/ranges/byte-range-answer.ts'
import type { PublicationsDeps } from '../deps.ts'
import { decodePageContent } from '../domain/page-content.ts'
import { imageNotReady, publicationNotFound, publicationWithdrawn } from '../errors.ts'
import { getShownPublication } from '../public-pages/shown-publication.ts'
import { SlugParams } from '../schemas/slug-params.ts'

const share = (description: string, example: number) =>
  Type.Number({ minimum: 0, maximum: 1, description, examples: [example] })

const box = {
  x: share('Left edge, in parts of the page width.', 0.12),
  y: share('Upper edge, in parts of the page height.', 0.08),
  width: share('In parts of the page width.', 0.09),
  height: share('In parts of the page height.', 0.02),
}

const Word = Type.Object(
  {
    text: Type.String({ examples: ['Introduction'] }),
    line: Type.Integer({ minimum: 0, description: 'Words with the same number stand on one line.', examples: [0] }),
    ...box,
  },
  { title: 'PageWord' },
)

const Link = Type.Object(
  {
    ...box,
    page: Type.Optional(Type.Integer({ minimum: 1, description: 'The page it leads to.', examples: [14] })),
    uri: Type.Optional(Type.String({ description: 'The address it leads to: `http`, `https` or `mailto`.' })),
  },
  { title: 'PageLink' },
)

const PageContent = Type.Object(
  {
    page: Type.Integer({ minimum: 1, examples: [12] }),
    text: Type.String({
      description: 'In reading order; an empty line is between paragraphs.',
      examples: ['Introduction'],
    }),
    words: Type.Array(Word, { description: 'In the order of the file, with their places on the page.' }),
    links: Type.Array(Link),
  },
  { title: 'PageContent' },
)

const PageParams = Type.Object({
  ...SlugParams.properties,
  page: Type.String({ description: 'The number of the page; the first is 1.', examples: ['12'] }),
})

const RETRY_AFTER = { 'retry-after': '2' }

/** GET /publications/:slug/pages/:page */
export function getPage(app: HttpServer, { publicPages }: PublicationsDeps) {
  app.get<{ Params: { slug: string; page: string } }>(
    '/publications/:slug/pages/:page',
    {
      schema: {
        operationId: 'getPublicationPage',
        summary: 'Get what stands on a page',
        description: `The words of a page with their places, its links and its text, of the version that readers see.
Places are in parts of the page as shown, from its upper left corner. A page that cannot be rendered has none of them; 503
says that it has yet to be rendered.`,
        tags: ['Publications'],
        params: PageParams,
        problems: [publicationNotFound, notFound, publicationWithdrawn, rateLimited, imageNotReady],
        response: { 200: PageContent },
      },
    },
    async ({ params, headers }, reply) => {
      const publication = await getShownPublication(publicPages, params.slug)
      const page = /^[1-9]\d{0,6}$/.test(params.page) ? Number(params.page) : 0
      if (page === 0 || page > publication.page_count) throw notFound({ detail: 'The publication has no such page.' })
      const [row] = await publicPages.pages(publication.version_id, page, page)
      if (row === undefined) throw imageNotReady({ headers: RETRY_AFTER })
      // A finished page never changes; a later version has another id.
      const etag = `"${publication.version_id}-${page}"`
      reply.header('etag', `W/${etag}`).header('cache-control', 'public, max-age=0, must-revalidate')
      if (isNotModified(headers, etag)) return reply.code(304).send()
      return { page, text: row.text, ...decodePageContent(row.words) }
    },
  )
}
