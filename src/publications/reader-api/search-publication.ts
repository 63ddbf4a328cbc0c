import Type from 'typebox'
import { rateLimited } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { isNotModified } from '#platform/http/ranges/byte-range-answer.ts'
import type { PublicationsDeps } from '../deps.ts'
import { publicationNotFound, publicationWithdrawn } from '../errors.ts'
import { getShownPublication } from '../public-pages/shown-publication.ts'
import { SlugParams } from '../schemas/slug-params.ts'
import { searchTexts } from '../search/search-texts.ts'

const MAX_QUERY_LENGTH = 200

const count = (description: string, example: number) => Type.Integer({ minimum: 0, description, examples: [example] })

const SearchQuery = Type.Object({
  q: Type.String({
    minLength: 1,
    maxLength: MAX_QUERY_LENGTH,
    description: 'A word, a part of one, or several in a row.',
    examples: ['culture'],
  }),
  from: Type.Optional(
    Type.Integer({ minimum: 1, default: 1, description: 'The page from which on hits are shown.', examples: [1] }),
  ),
})

const Snippet = Type.Object(
  {
    page: Type.Integer({ minimum: 1, examples: [12] }),
    text: Type.String({ description: 'What stands around the hit.', examples: ['a free culture supports'] }),
    from: count('Where in it the hit begins, in UTF-16 code units.', 7),
    to: count('Where it ends.', 14),
  },
  { title: 'SearchSnippet' },
)

const SearchResult = Type.Object(
  {
    query: Type.String({ examples: ['culture'] }),
    hits: count('In all pages together.', 2),
    pages_searched: count('Pages that are rendered; others can be searched later.', 48),
    page_count: count('Of the document.', 48),
    pages: Type.Array(
      Type.Object(
        { page: Type.Integer({ minimum: 1, examples: [12] }), hits: count('On it.', 2) },
        { title: 'SearchHits' },
      ),
      {
        description: 'Those with hits, in their order.',
      },
    ),
    snippets: Type.Array(Snippet, {
      description: 'At most three of a page and 200 together, from page `from` on.',
    }),
  },
  { title: 'SearchResult' },
)

/** GET /publications/:slug/search */
export function searchPublication(app: HttpServer, { publicPages, searchableTexts }: PublicationsDeps) {
  app.get<{ Params: { slug: string }; Querystring: { q: string; from?: number } }>(
    '/publications/:slug/search',
    {
      schema: {
        operationId: 'searchPublication',
        summary: 'Search in a publication',
        description: `Which pages have a text, how often, and what stands around it. Case, accents and line ends make no
difference. It is the version that readers see that is searched; where the words are on a page tells
\`/publications/{slug}/pages/{page}\`.`,
        tags: ['Publications'],
        params: SlugParams,
        querystring: SearchQuery,
        problems: [publicationNotFound, publicationWithdrawn, rateLimited],
        response: { 200: SearchResult },
      },
    },
    async ({ params, query: { q, from = 1 }, headers }, reply) => {
      const publication = await getShownPublication(publicPages, params.slug)
      const { version_id: versionId, pages_ready: pagesReady } = publication
      // The same file with as many pages gives the same answer.
      const etag = `"${versionId}-${pagesReady}"`
      reply.header('etag', `W/${etag}`).header('cache-control', 'public, max-age=0, must-revalidate')
      if (isNotModified(headers, etag)) return reply.code(304).send()
      const found = searchTexts(await searchableTexts.of(versionId, pagesReady), q, from)
      return { query: q, pages_searched: pagesReady, page_count: publication.page_count, ...found }
    },
  )
}
