import type { ReaderStore } from '../state/reader-store.ts'
import { type LoadedPages, pageOf } from './loaded-pages.ts'
import { scrollInstantly } from './scroll-anchor.ts'

/** Scrolling by the program has ended if nothing has moved for this long. Browsers that send `scrollend` say it earlier. */
const OWN_SCROLL_MS = 1_000
/** Input with which a visitor takes over from scrolling by the program. */
const INPUT = ['wheel', 'touchmove', 'keydown', 'pointerdown']
/** The next part is requested this many pages before the end of the loaded one. */
const PREFETCH_PAGES = 10

/** Sets the current page while the reader scrolls. */
export type ScrollTracker = {
  /** Announces scrolling by the program, which does not change the current page. */
  ignoreOwnScroll(): void
  /** Scrolls back to the text being read after the available space has changed and all pages have moved. */
  restorePosition(): void
}

/** The current page is the one a quarter down the screen, and the last one at the end. */
export function trackScrolling(pages: LoadedPages, store: ReaderStore): ScrollTracker {
  const root = document.documentElement
  let ownScrollUntil = 0
  let isScheduled = false
  /** True if the visitor caused any of the scrolling since the last update. */
  let isByVisitor = false
  /** The section a quarter down the screen, and the share of it above that line; undefined above the first. */
  let position: { section: HTMLElement; share: number } | undefined

  function update(): void {
    const byVisitor = isByVisitor
    isScheduled = isByVisitor = false
    if (store.current.view !== 'scroll') return
    const sections = pages.sections()
    position = positionIn(sectionAt(sections, innerHeight / 4))
    if (!byVisitor) return
    const isAtEnd = root.scrollTop > 0 && root.scrollTop + innerHeight >= root.scrollHeight - 2
    const section = isAtEnd ? sections[sections.length - 1] : sectionAt(sections, innerHeight / 4)
    if (section === undefined) return
    store.set({ page: pageOf(section) })
    if (pageOf(section) + PREFETCH_PAGES > pages.to) pages.prefetch(pages.to + 1)
  }

  addEventListener(
    'scroll',
    () => {
      if (performance.now() < ownScrollUntil) ignoreOwnScroll()
      else isByVisitor = true
      if (isScheduled) return
      isScheduled = true
      requestAnimationFrame(update)
    },
    { passive: true },
  )

  // A smooth scroll takes as long as the browser likes, and starts late on a busy machine.
  function ignoreOwnScroll(): void {
    ownScrollUntil = performance.now() + OWN_SCROLL_MS
  }

  function endOwnScroll(): void {
    ownScrollUntil = 0
  }

  addEventListener('scrollend', endOwnScroll)
  for (const type of INPUT) addEventListener(type, endOwnScroll, { passive: true, capture: true })

  return {
    ignoreOwnScroll,
    restorePosition() {
      if (store.current.view !== 'scroll' || position === undefined || !position.section.isConnected) return
      const { top, height } = position.section.getBoundingClientRect()
      ignoreOwnScroll()
      scrollInstantly(root, 0, top + position.share * height - innerHeight / 4)
    },
  }
}

function positionIn(section: HTMLElement | undefined) {
  if (section === undefined) return undefined
  const { top, height } = section.getBoundingClientRect()
  const share = (innerHeight / 4 - top) / height
  return share < 0 ? undefined : { section, share }
}

/** Finds the first section that ends below a line of the screen by bisection: measuring hundreds takes too long. */
function sectionAt(sections: readonly HTMLElement[], line: number): HTMLElement | undefined {
  let [low, high] = [0, sections.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (sections[middle].getBoundingClientRect().bottom > line) high = middle
    else low = middle + 1
  }
  return sections[low]
}
