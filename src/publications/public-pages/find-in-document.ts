import type { FastifyReply, FastifyRequest } from 'fastify'
import { rateLimited } from '#platform/basics/errors.ts'
import { workClient } from '#platform/http/client.ts'
import { countRequest } from '#platform/http/rate-limit.ts'
import { QueueFullError } from '#platform/jobs/work-queue.ts'
import { type Html, html } from '#platform/pages/html.ts'
import type { ShownPublication } from '../model/public-page-store.ts'
import type { DocumentResult } from '../search/document-search.ts'
import type { PublicPagesDeps } from './answer-as-pages.ts'
import { type InterfaceTranslate, interfaceTexts } from './interface-texts.ts'
import { type Part, pageAnchor } from './page-view.ts'

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
  { documentSearch, searchLimit }: PublicPagesDeps,
  publication: ShownPublication,
  query: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FoundInDocument> {
  const client = workClient(request, reply)
  const signal = AbortSignal.any([client.signal, AbortSignal.timeout(SEARCH_WITHIN_MS)])
  const { version_id: versionId, pages_ready: pagesReady } = publication
  const pagesRecognized = publication.pages_recognized ?? 0
  try {
    if (searchLimit !== undefined) await countRequest(reply, searchLimit, client.caller)
    const result = await documentSearch.search(
      { versionId, pagesReady, pagesRecognized, query, fromPage: 1 },
      { ...client, signal },
    )
    return { query, result }
  } catch (error) {
    if (rateLimited.is(error)) return { query, refused: 'limited' }
    if (error instanceof QueueFullError || signal.aborted) return { query, refused: 'busy' }
    request.log.error({ err: error }, 'search for a page failed')
    return { query, refused: 'failed' }
  }
}

/** The text to find in the address of a page, with its hits or the reason why there was no search. */
type FoundInDocument = { query: string } & ({ result: DocumentResult } | { refused: 'limited' | 'busy' | 'failed' })

type Shown = { language: string; part: Part; pageCount: number; partAddress: (part: Part) => string }

/** The results stand before this element of the page. */
const BEFORE = Buffer.from('<div class="body">')

/** Puts the results of a search into a written page. Scripts replace them by the reader's own search. */
export function withFound(page: Buffer, found: FoundInDocument, shown: Shown): Buffer {
  const at = page.indexOf(BEFORE)
  return Buffer.concat([page.subarray(0, at), Buffer.from(foundSection(found, shown).text), page.subarray(at)])
}

function foundSection(found: FoundInDocument, shown: Shown): Html {
  const t = interfaceTexts(shown.language)
  const [before, after] = t('found', { query: '\n' }).split('\n')
  return html`<section class="found" aria-labelledby="found-title">
<h2 class="found-title" id="found-title">${before}<bdi>${found.query}</bdi>${after}</h2>
${'refused' in found ? html`<p>${t(`notSearched.${found.refused}`)}</p>` : foundList(found.result, shown, t)}
</section>
`
}

function foundList(result: DocumentResult, { part, pageCount, partAddress }: Shown, t: InterfaceTranslate): Html {
  const { hits, pages, snippets, pages_searched: searched, pages_without_text: withoutText } = result
  const isImages = searched > 0 && withoutText === searched && searched === pageCount
  const rest = searched < pageCount && html`\n<p>${t('searchedSoFar', { count: searched, total: pageCount })}</p>`
  if (isImages) return html`<p>${t('nothingToSearch')}</p>`
  const items = [...Map.groupBy(snippets, ({ page }) => page)].map(
    ([
      page,
      inPage,
    ]) => html`<li><a href="${pageAnchor(page, part, pageCount, partAddress)}">${t('page', { label: page })}</a>
${inPage.map(({ text, from, to }) => html`<p dir="auto">${text.slice(0, from)}<mark>${text.slice(from, to)}</mark>${text.slice(to)}</p>\n`)}</li>\n`,
  )
  return html`<p>${hitsText(t, hits, pages.length)}</p>${rest}
${items.length > 0 && html`<ol class="found-list">\n${items}</ol>`}`
}

function hitsText(t: InterfaceTranslate, hits: number, pages: number): string {
  if (hits === 0) return t('noHits')
  return t('hits', { hits: t('matches', { count: hits }), pages: t('pageCount', { count: pages }) })
}

/** Writes a form that searches without scripts; the stylesheet leaves it out where there are some. */
export function searchForm(t: InterfaceTranslate): Html {
  return html`<form class="find-form" role="search" method="get"><input type="search" name="q" required="" maxlength="200" aria-label="${t('searchDocument')}" placeholder="${t('searchDocument')}"><button class="button" type="submit">${t('search')}</button></form>`
}
