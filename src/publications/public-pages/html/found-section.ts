import { type Html, html } from '#platform/http/server/html.ts'
import type { DocumentResult } from '../../search/document-search.ts'
import { type InterfaceTexts, interfaceTexts } from './interface-texts.ts'
import type { InterfaceLanguage } from './language.ts'
import type { Part } from './page-view.ts'
import { pageAnchor } from './parts.ts'

/** The text to find in the address of a page, with its hits or the reason why there was no search. */
export type FoundInDocument = { query: string } & (
  | { result: DocumentResult }
  | { refused: 'limited' | 'busy' | 'failed' }
)

type Shown = { language: InterfaceLanguage; part: Part; pageCount: number; pageAddress: string }

/** The results stand before this element of the page. */
const BEFORE = Buffer.from('<div class="body">')

/** Puts the results of a search into a written page. Scripts replace them by the reader's own search. */
export function withFound(page: Buffer, found: FoundInDocument, shown: Shown): Buffer {
  const at = page.indexOf(BEFORE)
  return Buffer.concat([page.subarray(0, at), Buffer.from(foundSection(found, shown).text), page.subarray(at)])
}

function foundSection(found: FoundInDocument, shown: Shown): Html {
  const texts = interfaceTexts(shown.language)
  const [before, after] = texts.found('\n').split('\n')
  return html`<section class="found" aria-labelledby="found-title">
<h2 class="found-title" id="found-title">${before}<bdi>${found.query}</bdi>${after}</h2>
${'refused' in found ? html`<p>${texts.notSearched[found.refused]}</p>` : foundList(found.result, shown, texts)}
</section>
`
}

function foundList(result: DocumentResult, { part, pageCount, pageAddress }: Shown, texts: InterfaceTexts): Html {
  const { hits, pages, snippets, pages_searched: searched, pages_without_text: withoutText } = result
  const isImages = searched > 0 && withoutText === searched && searched === pageCount
  const rest = searched < pageCount && html`\n<p>${texts.searchedSoFar(searched, pageCount)}</p>`
  if (isImages) return html`<p>${texts.nothingToSearch}</p>`
  const items = [...Map.groupBy(snippets, ({ page }) => page)].map(
    ([
      page,
      inPage,
    ]) => html`<li><a href="${pageAnchor(page, part, pageCount, pageAddress)}">${texts.page(String(page))}</a>
${inPage.map(({ text, from, to }) => html`<p dir="auto">${text.slice(0, from)}<mark>${text.slice(from, to)}</mark>${text.slice(to)}</p>\n`)}</li>\n`,
  )
  return html`<p>${texts.hits(hits, pages.length)}</p>${rest}
${items.length > 0 && html`<ol class="found-list">\n${items}</ol>`}`
}

/** Writes a form that searches without scripts; the stylesheet leaves it out where there are some. */
export function searchForm(texts: InterfaceTexts): Html {
  return html`<form class="find-form" role="search" method="get"><input type="search" name="q" required="" maxlength="200" aria-label="${texts.searchDocument}" placeholder="${texts.searchDocument}"><button class="button" type="submit">${texts.search}</button></form>`
}
