import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError, rateLimited } from '#platform/errors.ts'
import type { RateLimit } from '#platform/http/limits/rate-limit.ts'
import { countRequest } from '#platform/http/limits/rate-limit-headers.ts'
import { clientOf } from '../delivery/client-of.ts'
import { QueueFullError } from '../queues/work-queue.ts'
import type { DocumentSearch } from '../search/document-search.ts'
import type { ShownPublication } from '../storage/public-page-store.ts'
import type { FoundInDocument } from './html/found-section.ts'

type Deps = {
  documentSearch: Pick<DocumentSearch, 'search'>
  /** Searches count as requests of the API, which the page itself does not. */
  searchLimit: RateLimit | undefined
}

/** As in the API, which the reader asks. */
const MAX_QUERY_LENGTH = 200
/** A search that is not done by then is given up: the page is worth more than its results. */
const SEARCH_WITHIN_MS = 3_000

/** Returns the text to find that the address of a page contains; undefined if there is none. */
export function queryInAddress(q: unknown): string | undefined {
  const query = typeof q === 'string' ? q.trim().slice(0, MAX_QUERY_LENGTH).toWellFormed() : ''
  return query === '' ? undefined : query
}

/**
 * Searches for readers without scripts. Never throws: a search that is refused or takes too long is said in the page.
 */
export async function findInDocument(
  { documentSearch, searchLimit }: Deps,
  publication: Pick<ShownPublication, 'version_id' | 'pages_ready'>,
  query: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FoundInDocument> {
  const client = clientOf(request, reply)
  const signal = AbortSignal.any([client.signal, AbortSignal.timeout(SEARCH_WITHIN_MS)])
  const { version_id: versionId, pages_ready: pagesReady } = publication
  try {
    if (searchLimit !== undefined) await countRequest(reply, searchLimit, client.caller)
    const result = await documentSearch.search({ versionId, pagesReady, query, fromPage: 1 }, { ...client, signal })
    return { query, result }
  } catch (error) {
    if (error instanceof AppError && error.code === rateLimited().code) return { query, refused: 'limited' }
    if (error instanceof QueueFullError || signal.aborted) return { query, refused: 'busy' }
    request.log.error({ err: error }, 'search for a page failed')
    return { query, refused: 'failed' }
  }
}
