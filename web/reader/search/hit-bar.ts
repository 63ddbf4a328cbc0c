import type { ReaderStore } from '../state/reader-store.ts'
import { element, iconButton } from '../ui/elements.ts'
import { icons } from '../ui/icons.ts'
import type { ReaderTexts } from '../ui/texts.ts'
import type { Search } from './search.ts'
import { statusText } from './status-text.ts'

/** Shows buttons to step through the hits while the search panel is closed. */
export function createHitBar(search: Search, store: ReaderStore, texts: ReaderTexts): void {
  const status = element('span', {})
  const bar = element(
    'div',
    { class: 'hit-bar', role: 'group', 'aria-label': texts.search, hidden: true },
    status,
    element(
      'span',
      { class: 'tools' },
      iconButton(texts.previousHit, icons.up, () => search.step(-1)),
      iconButton(texts.nextHit, icons.down, () => search.step(1)),
      iconButton(texts.close, icons.close, () => void search.run('')),
    ),
  )
  document.body.append(bar)
  const show = () => {
    bar.hidden = search.current.query === '' || store.current.panel === 'search'
    status.textContent = statusText(search.current, texts)
  }
  search.subscribe(show)
  store.subscribe(show)
}
