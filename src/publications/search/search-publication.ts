import Type from 'typebox'
import { RETRY_SOON_SEC, rateLimited, unavailable } from '#platform/basics/errors.ts'
import { workClient } from '#platform/http/client.ts'
import { type HttpServer, noContent } from '#platform/http/http-server.ts'
import { isNotModified } from '#platform/http/ranges.ts'
import { QueueFullError } from '#platform/jobs/work-queue.ts'
import { publicationNotFound, publicationUnpublished, readerPasswordRequired } from '../model/errors.ts'
import { getShownPublication, type PublicPageStore } from '../model/public-page-store.ts'
import type { ReaderLinks } from '../model/reader-links.ts'
import { privacyHeaders } from '../model/reading.ts'
import { SlugParams } from '../model/schemas.ts'
import type { DocumentSearch } from './document-search.ts'

const MAX_QUERY_LENGTH = 200

/** A search that is not done by then, because many wait, is given up. */
const SEARCH_WITHIN_MS = 10_000

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
    pages_searched: count(
      'Number of pages that were searched: those that are rendered, up to a total of about 50,000,000 characters.',
      48,
    ),
    pages_without_text: count(
      'Number of searched pages that have no text, such as scans. Nothing can be found on them.',
      0,
    ),
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

/** GET /publications/:slug/search */
export function searchPublication(
  app: HttpServer,
  deps: { publicPages: PublicPageStore; readerLinks: ReaderLinks; documentSearch: DocumentSearch },
) {
  const { publicPages, readerLinks, documentSearch } = deps
  app.get(
    '/publications/:slug/search',
    {
      schema: {
        operationId: 'searchPublication',
        summary: 'Search in a publication',
        description: `Returns the pages that contain a text, with the number of hits and snippets. Case, accents and line ends are
ignored. The version that readers see is searched; \`/publications/{slug}/pages/{page}\` returns the positions of words. 503
means that too many searches are waiting.`,
        tags: ['Publications'],
        params: SlugParams,
        querystring: SearchQuery,
        problems: [publicationNotFound, publicationUnpublished, readerPasswordRequired, rateLimited, unavailable],
        response: { 200: SearchResult, 304: noContent('The result has not changed.') },
      },
    },
    async (request, reply) => {
      const { params, query, headers } = request
      const { q, from = 1 } = query
      const publication = await getShownPublication(publicPages, params.slug, await readerLinks.of(request))
      const { version_id: versionId, pages_ready: pagesReady } = publication
      const pagesRecognized = publication.pages_recognized ?? 0
      // The same file with the same number of pages and texts gives the same answer.
      const etag = `"${versionId}-${pagesReady}-${pagesRecognized}"`
      reply.header('etag', `W/${etag}`).header('cache-control', 'public, max-age=0, must-revalidate')
      reply.headers(privacyHeaders(publication))
      if (isNotModified(headers, etag)) return reply.code(304).send()
      const client = workClient(request, reply)
      const signal = AbortSignal.any([client.signal, AbortSignal.timeout(SEARCH_WITHIN_MS)])
      try {
        const wanted = { versionId, pagesReady, pagesRecognized, query: q, fromPage: from }
        const found = await documentSearch.search(wanted, { ...client, signal })
        return { query: q, page_count: publication.page_count, ...found }
      } catch (error) {
        if (!(error instanceof QueueFullError) && !signal.aborted) throw error
        throw unavailable({ detail: 'Too many searches are waiting; try again.', retryAfterSec: RETRY_SOON_SEC })
      }
    },
  )
}
