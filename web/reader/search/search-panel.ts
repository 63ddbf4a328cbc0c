import type { PanelContent, ReaderStore } from '../document/reader-state.ts'
import { element, iconButton, icons } from '../elements.ts'
import type { ReaderTranslate } from '../texts.ts'
import { type HitPosition, type Search, type SearchState, statusText } from './search.ts'

/** Longer than the pause between two keystrokes. */
const TYPING_MS = 350

/** Makes the search panel: a field and the list of results. */
export function createSearchPanel(
  search: Search,
  t: ReaderTranslate,
  documentLanguage: string | undefined,
): PanelContent {
  const input = element('input', {
    type: 'search',
    'aria-label': t('searchDocument'),
    placeholder: t('searchPlaceholder'),
    maxlength: 200,
    enterkeyhint: 'search',
    autocomplete: 'off',
    spellcheck: 'false',
  })
  const previous = iconButton(t('previousHit'), icons.up, () => search.step(-1))
  const next = iconButton(t('nextHit'), icons.down, () => search.step(1))
  const form = element('form', { role: 'search', class: 'search-form' }, input, previous, next)
  const status = element('p', { class: 'hint' })
  const results = element('ol', { class: 'results', lang: documentLanguage })
  const more = element('button', { type: 'button', class: 'show-more', hidden: true }, t('moreHits'))
  more.addEventListener('click', () => void search.more())
  const content = element('div', { class: 'search' }, form, status, results, more)
  let drawn: SearchState['answer']

  let typing: ReturnType<typeof setTimeout> | undefined
  input.addEventListener('input', () => {
    clearTimeout(typing)
    typing = setTimeout(() => void search.run(input.value), TYPING_MS)
  })
  const searchAndStep = async (by: 1 | -1) => {
    clearTimeout(typing)
    await search.run(input.value)
    search.step(by)
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void searchAndStep(1)
  })
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !event.shiftKey) return
    event.preventDefault()
    void searchAndStep(-1)
  })
  results.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLElement>('[data-hit]')
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    event.stopPropagation()
    const [page, index] = link.dataset.hit!.split('-').map(Number)
    void search.goTo({ page, index })
    content.dispatchEvent(new CustomEvent('resultopened', { bubbles: true }))
  })

  search.subscribe((now) => {
    if (now.query !== '' && input.value.trim() !== now.query && document.activeElement !== input)
      input.value = now.query
    if (now.query === '' && document.activeElement !== input) input.value = ''
    status.textContent = statusText(now, t)
    const hasHits = (now.answer?.hits ?? 0) > 0
    for (const button of [previous, next]) button.setAttribute('aria-disabled', String(!hasHits))
    if (drawn !== now.answer) {
      drawn = now.answer
      results.replaceChildren(...resultsOf(now, t))
    }
    const last = now.answer?.snippets.at(-1)?.page ?? 0
    more.hidden = !now.answer?.pages.some(({ page }) => page > last)
    markCurrent(results, now.hit)
  })

  return {
    element: content,
    open() {
      input.focus()
      input.select()
    },
  }
}

function resultsOf({ answer }: SearchState, t: ReaderTranslate): HTMLElement[] {
  const byPage = Map.groupBy(answer?.snippets ?? [], ({ page }) => page)
  return [...byPage].map(([page, snippets]) => {
    const hits = answer!.pages.find((found) => found.page === page)?.hits ?? snippets.length
    const head = element(
      'p',
      { class: 'result-page' },
      element('span', {}, t('pageNumber', { page })),
      element('span', {}, t('hitsOnPage', { count: hits })),
    )
    const links = snippets.map(({ text, from, to }, index) =>
      element(
        'a',
        { href: `#page-${page}`, 'data-hit': `${page}-${index}`, dir: 'auto' },
        text.slice(0, from),
        element('mark', {}, text.slice(from, to)),
        text.slice(to),
      ),
    )
    return element('li', {}, head, ...links)
  })
}

function markCurrent(results: HTMLElement, hit: HitPosition | undefined): void {
  for (const link of results.querySelectorAll('[aria-current]')) link.removeAttribute('aria-current')
  if (hit === undefined) return
  const current = results.querySelector(`[data-hit="${hit.page}-${hit.index}"]`)
  current?.setAttribute('aria-current', 'true')
  current?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
}

/** Shows buttons to step through the hits while the search panel is closed. */
export function createHitBar(search: Search, store: ReaderStore, t: ReaderTranslate): void {
  const status = element('span', {})
  const bar = element(
    'div',
    { class: 'hit-bar', role: 'region', 'aria-label': t('search'), hidden: true },
    status,
    element(
      'span',
      { class: 'tools' },
      iconButton(t('previousHit'), icons.up, () => search.step(-1)),
      iconButton(t('nextHit'), icons.down, () => search.step(1)),
      iconButton(t('close'), icons.close, () => void search.run('')),
    ),
  )
  document.body.append(bar)
  const show = () => {
    bar.hidden = search.current.query === '' || store.current.panel === 'search'
    status.textContent = statusText(search.current, t)
  }
  search.subscribe(show)
  store.subscribe(show)
}
