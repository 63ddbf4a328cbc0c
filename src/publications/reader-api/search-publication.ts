import Type from 'typebox'
import { rateLimited } from '#platform/errors.ts'
import { noContent } from '#platform/http/answer-schemas.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { isNotModified } from '#platform/http/ranges/byte-range-answer.ts'
import { publicationNotFound, publicationUnpublished } from '../errors.ts'
import { getShownPublication } from '../public-pages/shown-publication.ts'
import { SlugParams } from '../schemas/slug-params.ts'
import type { PageTextCache } from '../search/page-text-cache.ts'
import { searchTexts } from '../search/search-texts.ts'
import type { PublicPageStore } from '../storage/public-page-store.ts'

const MAX_QUERY_LENGTH = 200

const count = (description: string, example: number) => Type.Integer({ minimum: 0, description, examples: [example] })

const SearchQuery = Type.Object({
  q: Type.String({
    minLength: 1,
    maxLength: MAX_QUERY_LENGTH,
    description: 'A word, a part of a word, or a phrase.',
    examples: ['culture'],
  }),
  from: Type.Optional(
    Type.Integer({ minimum: 1, default: 1, description: 'First page of the snippets.', examples: [1] }),
  ),
})

const Snippet = Type.Object(
  {
    page: Type.Integer({ minimum: 1, examples: [12] }),
    text: Type.String({ description: 'Text around the hit.', examples: ['a free culture supports'] }),
    from: count('Start of the hit in the text, in UTF-16 code units.', 7),
    to: count('End of the hit, exclusive.', 14),
  },
  { title: 'SearchSnippet' },
)

const SearchResult = Type.Object(
  {
    query: Type.String({ examples: ['culture'] }),
    hits: count('Hits on all pages.', 2),
    pages_searched: count('Number of rendered pages; the others can be searched later.', 48),
    page_count: count('Number of pages of the document.', 48),
    pages: Type.Array(
      Type.Object(
        { page: Type.Integer({ minimum: 1, examples: [12] }), hits: count('Hits on the page.', 2) },
        { title: 'SearchHits' },
      ),
      {
        description: 'Pages with hits, in order.',
      },
    ),
    snippets: Type.Array(Snippet, {
      description: 'At most three per page and 200 in all, from page `from` on.',
    }),
  },
  { title: 'SearchResult' },
)

type Deps = { publicPages: Pick<PublicPageStore, 'find'>; pageTexts: PageTextCache }

/** GET /publications/:slug/search */
export function searchPublication(app: HttpServer, { publicPages, pageTexts }: Deps) {
  app.get(
    '/publications/:slug/search',
    {
      schema: {
        operationId: 'searchPublication',
        summary: 'Search in a publication',
        description: `Returns the pages that contain a text, with the number of hits and snippets. Case, accents and line ends are
ignored. The version that readers see is searched; \`/publications/{slug}/pages/{page}\` returns the positions of words.`,
        tags: ['Publications'],
        params: SlugParams,
        querystring: SearchQuery,
        problems: [publicationNotFound, publicationUnpublished, rateLimited],
        response: { 200: SearchResult, 304: noContent('The result has not changed.') },
      },
    },
    async ({ params, query: { q, from = 1 }, headers }, reply) => {
      const publication = await getShownPublication(publicPages, params.slug)
      const { version_id: versionId, pages_ready: pagesReady } = publication
      // The same file with the same number of pages gives the same answer.
      const etag = `"${versionId}-${pagesReady}"`
      reply.header('etag', `W/${etag}`).header('cache-control', 'public, max-age=0, must-revalidate')
      if (isNotModified(headers, etag)) return reply.code(304).send()
      const found = searchTexts(await pageTexts.textsOf(versionId, pagesReady), q, from)
      return { query: q, pages_searched: pagesReady, page_count: publication.page_count, ...found }
    },
  )
}
