import type { ReadingState } from '../state/reader-state.ts'
import { element, iconButton } from '../ui/elements.ts'
import { icons } from '../ui/icons.ts'
import type { ReaderTexts } from '../ui/texts.ts'
import type { Search } from './search.ts'
import { wordsFor } from './search-panel.ts'

/** From hit to hit while the list of them is closed. */
export function createHitBar(search: Search, state: ReadingState, texts: ReaderTexts): void {
  const words = element('span', {})
  const bar = element(
    'div',
    { class: 'hit-bar', role: 'group', 'aria-label': texts.search, hidden: true },
    words,
    iconButton(texts.previousHit, icons.up, () => search.step(-1)),
    iconButton(texts.nextHit, icons.down, () => search.step(1)),
    iconButton(texts.close, icons.close, () => void search.run('')),
  )
  document.body.append(bar)
  const show = () => {
    bar.hidden = search.now.query === '' || state.now.panel === 'search'
    words.textContent = wordsFor(search.now, search, texts)
  }
  search.follow(show)
  state.follow(show)
}
