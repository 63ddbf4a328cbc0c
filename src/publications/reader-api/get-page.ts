import Type from 'typebox'
import { notFound, rateLimited } from '#platform/errors.ts'
import { noContent } from '#platform/http/answer-schemas.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { isNotModified } from '#platform/http/ranges/byte-range-answer.ts'
import { decodePageContent } from '../domain/page-content.ts'
import { imageNotReady, publicationNotFound, publicationUnpublished } from '../errors.ts'
import { getShownPublication } from '../public-pages/shown-publication.ts'
import { SlugParams } from '../schemas/slug-params.ts'
import type { PublicPageStore } from '../storage/public-page-store.ts'

const share = (description: string, example: number) =>
  Type.Number({ minimum: 0, maximum: 1, description, examples: [example] })

const box = {
  x: share('Left edge, as a fraction of the page width.', 0.12),
  y: share('Upper edge, as a fraction of the page height.', 0.08),
  width: share('As a fraction of the page width.', 0.09),
  height: share('As a fraction of the page height.', 0.02),
}

const Word = Type.Object(
  {
    text: Type.String({ examples: ['Introduction'] }),
    line: Type.Integer({ minimum: 0, description: 'Words with the same number are on one line.', examples: [0] }),
    ...box,
  },
  { title: 'PageWord' },
)

const Link = Type.Object(
  {
    ...box,
    page: Type.Optional(Type.Integer({ minimum: 1, description: 'The page that the link leads to.', examples: [14] })),
    uri: Type.Optional(
      Type.String({ description: 'The address that the link leads to: `http`, `https` or `mailto`.' }),
    ),
  },
  { title: 'PageLink' },
)

const PageContent = Type.Object(
  {
    page: Type.Integer({ minimum: 1, examples: [12] }),
    text: Type.String({
      description: 'Text in reading order, with an empty line between paragraphs.',
      examples: ['Introduction'],
    }),
    words: Type.Array(Word, { description: 'Words in the order of the file, with their positions on the page.' }),
    links: Type.Array(Link),
  },
  { title: 'PageContent' },
)

const PageParams = Type.Object({
  ...SlugParams.properties,
  page: Type.String({ description: 'Page number; the first is 1.', examples: ['12'] }),
})

const RETRY_AFTER = { 'retry-after': '2' }

type Deps = { publicPages: Pick<PublicPageStore, 'find' | 'pages'> }

/** GET /publications/:slug/pages/:page */
export function getPage(app: HttpServer, { publicPages }: Deps) {
  app.get(
    '/publications/:slug/pages/:page',
    {
      schema: {
        operationId: 'getPublicationPage',
        summary: 'Get the content of a page',
        description: `Returns the words of a page with their positions, its links and its text, from the version that readers see.
Positions are fractions of the page as shown, measured from its upper left corner. A page that could not be rendered has no
content; 503 means that it has yet to be rendered.`,
        tags: ['Publications'],
        params: PageParams,
        problems: [publicationNotFound, notFound, publicationUnpublished, rateLimited, imageNotReady],
        response: { 200: PageContent, 304: noContent('The page has not changed.') },
      },
    },
    async ({ params, headers }, reply) => {
      const publication = await getShownPublication(publicPages, params.slug)
      const page = /^[1-9]\d{0,6}$/.test(params.page) ? Number(params.page) : 0
      if (page === 0 || page > publication.page_count) throw notFound({ detail: 'The publication has no such page.' })
      const [row] = await publicPages.pages(publication.version_id, page, page)
      if (row === undefined) throw imageNotReady({ headers: RETRY_AFTER })
      // A finished page never changes; a new version has another id.
      const etag = `"${publication.version_id}-${page}"`
      reply.header('etag', `W/${etag}`).header('cache-control', 'public, max-age=0, must-revalidate')
      if (isNotModified(headers, etag)) return reply.code(304).send()
      return { page, text: row.text, ...decodePageContent(row.words) }
    },
  )
}
