import { failureText } from '../ui/failure-text.ts'
import type { ReaderTexts } from '../ui/texts.ts'
import type { SearchResult } from './fetch-hits.ts'
import { numberOfHit } from './hit-order.ts'
import type { SearchState } from './search-store.ts'

/** Describes the state of the search, with what keeps it from finding more. */
export function statusText({ status, answer, hit, failure }: SearchState, texts: ReaderTexts): string {
  if (status === 'searching') return texts.searching
  if (status === 'failed' && failure) return `${texts.searchFailed} ${failureText(failure, texts)}`
  if (answer === undefined) return ''
  if (hit === undefined) return foundText(answer, texts)
  return [texts.hitOf(numberOfHit(answer.pages, hit), answer.hits), ...restText(answer, texts)].join(' ')
}

function foundText(answer: SearchResult, texts: ReaderTexts): string {
  const { hits, pages, pages_searched: searched, pages_without_text: withoutText, page_count: pageCount } = answer
  if (hits === 0 && searched === pageCount && withoutText === searched) return texts.nothingToSearch
  const found = texts.hits(hits, pages.length)
  const isScarce = hits === 0 && withoutText > 0
  return [
    isScarce ? `${found}. ${texts.pagesWithoutText(withoutText, pageCount)}` : found,
    ...restText(answer, texts),
  ].join(' ')
}

function restText({ pages_searched: searched, page_count: pageCount }: SearchResult, texts: ReaderTexts): string[] {
  return searched < pageCount ? [texts.notAllSearched(searched, pageCount)] : []
}
