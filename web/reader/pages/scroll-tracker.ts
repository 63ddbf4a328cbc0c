import { type LoadedPages, pageOf } from '../document/loaded-pages.ts'
import type { ReaderStore } from '../state/reader-store.ts'
import { watchScrolling } from './own-scroll.ts'
import type { PageLayout } from './page-layout.ts'
import { type Place, placeAt, scrollToPlace } from './place.ts'
import type { Point } from './scroll-anchor.ts'

/** The next part is requested this many pages before the end of the loaded one. */
const PREFETCH_PAGES = 10

/** Follows the place being read, and sets the current page while the visitor scrolls. */
export type ScrollTracker = {
  /** Announces scrolling by the program, which does not change the current page. */
  ignoreOwnScroll(): void
  /** The place being read: a quarter down the screen. */
  place(): Place | undefined
  /** Scrolls to a place and stays there, whatever changes its size, until the visitor scrolls. */
  moveTo(place: Place): void
  /** Scrolls back to the place being read after all pages have changed their size. */
  restorePlace(): void
}

type Deps = { main: HTMLElement; pages: LoadedPages; store: ReaderStore; layout: PageLayout }

/** The current page is the one a quarter down the screen, and the last one at the end. */
export function trackScrolling({ main, pages, store, layout }: Deps): ScrollTracker {
  const root = document.documentElement
  let place: Place | undefined
  /** True while the place is one to come back to: small errors of each change must not add up. */
  let isHeld = false

  const ignoreOwnScroll = watchScrolling(main, {
    onScroll: follow,
    onEnd() {
      // The browser may have moved on meanwhile. The counter must not claim a page that is not on the screen.
      const current = pages.section(store.current.page)
      if (!layout.isPaged() && current !== undefined && !isOnScreen(current)) follow(true)
    },
  })

  function follow(isByVisitor: boolean): void {
    if (isByVisitor) isHeld = false
    if (!isHeld) place = currentPlace()
    if (isByVisitor && !layout.isPaged()) showCurrentPage()
  }

  function showCurrentPage(): void {
    const sections = pages.sections()
    const isAtEnd = root.scrollTop > 0 && root.scrollTop + innerHeight >= root.scrollHeight - 2
    const section = isAtEnd ? sections[sections.length - 1] : sectionAt(sections, innerHeight / 4)
    if (section === undefined) return
    store.set({ page: pageOf(section) })
    if (pageOf(section) + PREFETCH_PAGES > pages.to) pages.prefetch(pages.to + 1)
  }

  function readingPoint(): Point {
    const { left, width, top, height } = main.getBoundingClientRect()
    const x = layout.isPaged() ? left + width / 2 : innerWidth / 2
    return { x, y: layout.isPaged() ? top + height / 4 : innerHeight / 4 }
  }

  function currentPlace(): Place | undefined {
    const point = readingPoint()
    const shown = layout.isPaged() ? pages.section(layout.shown()[0]) : sectionAt(pages.sections(), point.y)
    return shown && placeAt(shown, point, store.current.isText)
  }

  function scrollBack(): void {
    const section = place && pages.section(place.page)
    if (place === undefined || section === undefined) return
    ignoreOwnScroll()
    scrollToPlace(place, section, readingPoint(), { isText: store.current.isText, scroller: layout.scroller() })
  }

  requestAnimationFrame(() => follow(false))
  new ResizeObserver(() => {
    if (isHeld) scrollBack()
  }).observe(main)

  return {
    ignoreOwnScroll() {
      isHeld = false
      ignoreOwnScroll()
      // The browser may have scrolled there already, to the anchor in the address: then nothing moves.
      requestAnimationFrame(() => follow(false))
    },
    place: () => (isHeld ? place : currentPlace()),
    moveTo(target) {
      place = target
      isHeld = true
      scrollBack()
    },
    restorePlace() {
      // Above the first page there is nothing to come back to.
      if (place === undefined || (place.page === 1 && place.down < 0)) return
      if (layout.isPaged() && !layout.shown().includes(place.page)) return
      isHeld = true
      scrollBack()
    },
  }
}

function isOnScreen(section: HTMLElement): boolean {
  const { top, bottom } = section.getBoundingClientRect()
  return bottom > 0 && top < innerHeight
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
