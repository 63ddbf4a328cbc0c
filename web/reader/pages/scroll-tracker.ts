import { type LoadedPages, pageOf } from '../document/loaded-pages.ts'
import type { ReaderStore } from '../document/reader-state.ts'
import type { PageLayout } from './page-layout.ts'
import { type Place, type Point, placeAt, scrollInstantly, scrollToPlace } from './place.ts'
import type { ReaderDeps } from './reader-deps.ts'

/** The next part is loaded this many pages before the end of the loaded ones. */
const AHEAD_PAGES = 10

export type ScrollTracker = ReturnType<typeof trackScrolling>

/**
 * Follows the place being read, and sets the current page while the visitor scrolls: the one a quarter down the screen,
 * and the last one at the end.
 */
export function trackScrolling({ main, pages, store }: ReaderDeps, layout: PageLayout) {
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

  loadAhead(pages, layout, store, ignoreOwnScroll)
  requestAnimationFrame(() => follow(false))
  new ResizeObserver(() => {
    if (isHeld) scrollBack()
  }).observe(main)

  return {
    /** Announces scrolling by the program, which does not change the current page. */
    ignoreOwnScroll(): void {
      isHeld = false
      ignoreOwnScroll()
      // The browser may have scrolled there already, to the anchor in the address: then nothing moves.
      requestAnimationFrame(() => follow(false))
    },
    /** The place being read: a quarter down the screen. */
    place: () => (isHeld ? place : currentPlace()),
    /** Scrolls to a place and stays there while sizes change, until the visitor scrolls. */
    moveTo(target: Place): void {
      place = target
      isHeld = true
      scrollBack()
    },
    /** Scrolls back to the place being read after all pages have changed their size. */
    restorePlace(): void {
      // Above the first page there is nothing to come back to.
      if (place === undefined || (place.page === 1 && place.down < 0)) return
      if (layout.isPaged() && !layout.shown().includes(place.page)) return
      isHeld = true
      scrollBack()
    },
  }
}

/**
 * Loads the pages that follow, or lie before, whenever the reader is about to scroll to them. What is on the screen
 * stays where it is; `onMove` is called before the program scrolls for that.
 */
function loadAhead(pages: LoadedPages, layout: PageLayout, store: ReaderStore, onMove: () => void): void {
  const root = document.documentElement

  function keepOnScreen(change: () => void): void {
    const seen = sectionAt(pages.sections(), innerHeight / 4)
    const before = seen?.getBoundingClientRect().top ?? 0
    change()
    const moved = seen?.isConnected ? seen.getBoundingClientRect().top - before : 0
    if (moved === 0) return
    onMove()
    scrollInstantly(root, 0, moved)
  }

  store.subscribe(({ page, view }, before) => {
    if (layout.isPaged() || (page === before.page && view === before.view)) return
    const by = page + AHEAD_PAGES > pages.to ? 1 : page - AHEAD_PAGES < pages.from ? -1 : undefined
    // Without an answer, the links around the pages lead on, and the next page that is scrolled to asks again.
    if (by !== undefined) pages.extend(by, () => !layout.isPaged(), keepOnScreen).catch(() => {})
  })
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

/**
 * Scrolling by the program has ended if nothing has moved for this long. Browsers that send `scrollend` say it earlier.
 */
const OWN_SCROLL_MS = 1_000
/** Input with which a visitor takes over from scrolling by the program. */
const INPUT = ['wheel', 'touchmove', 'keydown', 'pointerdown']
/** Keys with which a browser scrolls. All others leave a scroll of the program as it is. */
const SCROLLING_KEYS = [
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
  'PageUp',
  'PageDown',
  'Home',
  'End',
  ' ',
  'Tab',
]

type Listeners = {
  /** Called once a frame while anything scrolls. @param isByVisitor true if the visitor caused any of it */
  onScroll(isByVisitor: boolean): void
  /** Called when scrolling by the program has ended. */
  onEnd(): void
}

/** Tells scrolling by the visitor from scrolling by the program, which calls the returned function beforehand. */
function watchScrolling(main: HTMLElement, { onScroll, onEnd }: Listeners): () => void {
  let ownScrollUntil = 0
  let ending: ReturnType<typeof setTimeout> | undefined
  let isScheduled = false
  let isByVisitor = false

  function update(): void {
    const byVisitor = isByVisitor
    isScheduled = isByVisitor = false
    onScroll(byVisitor)
  }

  function handleScroll(): void {
    if (performance.now() < ownScrollUntil) ignoreOwnScroll()
    else isByVisitor = true
    if (isScheduled) return
    isScheduled = true
    requestAnimationFrame(update)
  }

  // A smooth scroll takes as long as the browser likes, and starts late on a busy machine.
  function ignoreOwnScroll(): void {
    ownScrollUntil = performance.now() + OWN_SCROLL_MS
    clearTimeout(ending)
    ending = setTimeout(endOwnScroll, OWN_SCROLL_MS)
  }

  function endOwnScroll(): void {
    clearTimeout(ending)
    ownScrollUntil = 0
    onEnd()
  }

  for (const scroller of [window, main]) scroller.addEventListener('scroll', handleScroll, { passive: true })
  addEventListener('scrollend', endOwnScroll)
  onScrollInput(() => (ownScrollUntil = 0))
  return ignoreOwnScroll
}

/** Calls the listener whenever the visitor may scroll by wheel, finger, pointer or key. */
export function onScrollInput(listener: () => void): void {
  const handle = (event: Event) => {
    if (!(event instanceof KeyboardEvent) || SCROLLING_KEYS.includes(event.key)) listener()
  }
  for (const type of INPUT) addEventListener(type, handle, { passive: true, capture: true })
}
