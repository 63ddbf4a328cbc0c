import type { ReadingState } from '../state/reader-state.ts'
import { type LoadedPages, pageOf } from './loaded-pages.ts'
import { scrollByAtOnce } from './scroll-anchor.ts'

/** So long after something was scrolled to, scrolling says nothing about what is read. */
const OWN_SCROLL_MS = 150
/** So many pages before the last that is here, the next part is asked for. */
const EXPECTED_PAGES = 10

/** Follows which page is read while somebody scrolls. */
export type ReadingLine = {
  /** What scrolls now is the reader itself. */
  expectOwnScroll(): void
  /** Leads back to what was read, where there is more or less room than before and all pages have moved. */
  keepPlace(): void
}

/** The page that is read is the one a quarter down the screen, at the end the last. */
export function followReadingLine(pages: LoadedPages, state: ReadingState): ReadingLine {
  const root = document.documentElement
  let ownScrollUntil = 0
  let isWaiting = false
  /** How far down which page the line is; nowhere above the first. */
  let place: { section: HTMLElement; share: number } | undefined

  function follow(): void {
    isWaiting = false
    if (state.now.view !== 'scroll') return
    const sections = pages.sections()
    place = placeIn(sectionAt(sections, innerHeight / 4))
    if (performance.now() < ownScrollUntil) return
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

  function expectOwnScroll(): void {
    ownScrollUntil = performance.now() + OWN_SCROLL_MS
  }

  return {
    expectOwnScroll,
    keepPlace() {
      if (state.now.view !== 'scroll' || place === undefined || !place.section.isConnected) return
      const { top, height } = place.section.getBoundingClientRect()
      expectOwnScroll()
      scrollByAtOnce(root, 0, top + place.share * height - innerHeight / 4)
    },
  }
}

function placeIn(section: HTMLElement | undefined) {
  if (section === undefined) return undefined
  const { top, height } = section.getBoundingClientRect()
  const share = (innerHeight / 4 - top) / height
  return share < 0 ? undefined : { section, share }
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
