import { type LoadedPages, pageOf } from './loaded-pages.ts'
import type { ReadingState } from './reading-state.ts'

/** So long after something was scrolled to, scrolling says nothing about what is read. */
const OWN_SCROLL_MS = 150
/** So many pages before the last that is here, the next part is asked for. */
const EXPECTED_PAGES = 10

/** Follows which page is read while somebody scrolls. */
export type ReadingLine = {
  /** What scrolls now is the reader itself. */
  expectOwnScroll(): void
}

/** The page that is read is the one a quarter down the screen, at the end the last. */
export function followReadingLine(pages: LoadedPages, state: ReadingState): ReadingLine {
  const root = document.documentElement
  let ownScrollUntil = 0
  let isWaiting = false

  function follow(): void {
    isWaiting = false
    if (state.now.view !== 'scroll' || performance.now() < ownScrollUntil) return
    const sections = pages.sections()
    const isAtEnd = root.scrollTop > 0 && root.scrollTop + innerHeight >= root.scrollHeight - 2
    const section = isAtEnd ? sections[sections.length - 1] : sectionAt(sections, innerHeight / 4)
    if (section === undefined) return
    state.set({ page: pageOf(section) })
    if (pageOf(section) + EXPECTED_PAGES > pages.to) pages.expect(pages.to + 1)
  }

  addEventListener(
    'scroll',
    () => {
      if (isWaiting) return
      isWaiting = true
      requestAnimationFrame(follow)
    },
    { passive: true },
  )

  return {
    expectOwnScroll() {
      ownScrollUntil = performance.now() + OWN_SCROLL_MS
    },
  }
}

/** The first section that ends below a line of the screen, found by halving: asking all of hundreds takes too long. */
function sectionAt(sections: readonly HTMLElement[], line: number): HTMLElement | undefined {
  let [low, high] = [0, sections.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (sections[middle].getBoundingClientRect().bottom > line) high = middle
    else low = middle + 1
  }
  return sections[low]
}
