import type { ReaderData } from '../state/reader-data.ts'
import type { ReaderStore, View } from '../state/reader-store.ts'
import type { Announcer } from '../ui/announcer.ts'
import type { ReaderTexts } from '../ui/texts.ts'
import type { LoadedImages } from './loaded-images.ts'
import { type LoadedPages, labelOf } from './loaded-pages.ts'
import { createPageLayout } from './page-layout.ts'
import type { Box } from './page-words.ts'
import { revealBox } from './reveal.ts'
import { type Point, withScrollAnchor } from './scroll-anchor.ts'
import { trackScrolling } from './scroll-tracker.ts'
import { adjacentPage, isRightToLeft } from './spreads.ts'

export const MAX_ZOOM = 6
const MIN_ZOOM = { scroll: 0.5, single: 1, spread: 1 }
/** Three steps double the size. */
export const ZOOM_STEP = 2 ** (1 / 3)
/** A zoom this close to fitting becomes fitting. */
const FIT_TOLERANCE = 0.03
/** Distance a page slides when it is turned. */
const SLIDE_PX = 28
/** Height of the toolbar over the top of the scrolled pages, with a margin. */
const TOOLBAR_OVERLAP_PX = 64
/** Height of the bar of search hits over the bottom of the pages, with a margin. */
const HIT_BAR_OVERLAP_PX = 72

export type Viewer = {
  goTo(page: number, how?: { isQuiet?: boolean }): Promise<void>
  turn(by: 1 | -1): void
  setView(view: View): void
  /** @param at the point on the screen that stays in place; its centre by default */
  zoomTo(zoom: number, at?: Point): void
  /** Scrolls a part of a page into view. */
  reveal(page: number, box: Box): void
  /** Fits the pages to the space available now. */
  fit(): void
  shown(): number[]
}

type Deps = {
  data: ReaderData
  texts: ReaderTexts
  main: HTMLElement
  pages: LoadedPages
  images: LoadedImages
  store: ReaderStore
  announce: Announcer
  /** Called when the size of pages may have changed. */
  onResize(): void
}

/** Shows the pages: which, how many at once and how large. */
export function createViewer({ data, texts, main, pages, images, store, announce, onResize }: Deps): Viewer {
  const { pageCount } = data
  const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)')
  const layout = createPageLayout({ pageCount, main, pages, store, onResize })
  const scrollTracker = trackScrolling(pages, store)
  pages.subscribe(layout.layOut)

  async function goTo(wanted: number, { isQuiet = false } = {}): Promise<void> {
    const page = Math.min(Math.max(Math.round(wanted), 1), pageCount)
    const before = store.current.page
    try {
      await pages.load(page)
    } catch {
      return announce(texts.loadFailed)
    }
    store.set({ page: layout.isPaged() ? (layout.shownWith(page)[0] ?? page) : page })
    scrollTracker.ignoreOwnScroll()
    if (layout.isPaged()) turnTo(store.current.page - before)
    else scrollTo(page, before)
    void prepareNeighbours()
    if (!isQuiet) announcePage()
  }

  function turnTo(by: number): void {
    layout.layOut()
    main.scrollTo({ top: 0, left: 0, behavior: 'instant' })
    if (reducedMotion.matches || by === 0) return
    const isFromRight = by > 0 !== isRightToLeft(data.documentLanguage)
    slideIn(main.querySelectorAll<HTMLElement>('.page.shown'), isFromRight ? 'right' : 'left')
  }

  function scrollTo(page: number, before: number): void {
    const isStep = Math.abs(page - before) === 1 && !reducedMotion.matches
    pages.section(page)?.scrollIntoView({ behavior: isStep ? 'smooth' : 'instant', block: 'start' })
  }

  /** Loads the pages before and after in advance, once the current ones have loaded. */
  async function prepareNeighbours(): Promise<void> {
    const shown = layout.shown()
    const neighbours = ([1, -1] as const).map((by) => adjacentPage(shown, by, pageCount))
    for (const page of neighbours) if (page !== undefined) pages.prefetch(page)
    if (!layout.isPaged()) return
    await images.loaded(shown.flatMap((page) => pages.section(page) ?? []))
    if (!layout.isPaged() || layout.shown()[0] !== shown[0]) return
    for (const page of neighbours) if (page !== undefined) preloadImages(page)
  }

  function preloadImages(neighbour: number): void {
    for (const [page, width] of layout.widths(layout.shownWith(neighbour))) images.preload(pages.section(page)!, width)
  }

  function announcePage(): void {
    const [first, second] = layout.isPaged() ? layout.shown() : [store.current.page]
    const section = pages.section(first)
    const one = texts.pageOf(section ? labelOf(section) : String(first), pageCount)
    announce(second === undefined ? one : texts.pagesOf(first, second, pageCount))
  }

  function setView(view: View): void {
    if (view === store.current.view) return
    const { page } = store.current
    store.set({ view, zoom: 1 })
    layout.refit()
    void goTo(page, { isQuiet: true })
    announce(texts[view])
  }

  function zoomTo(wanted: number, at?: Point): void {
    const within = Math.min(Math.max(wanted, MIN_ZOOM[store.current.view]), MAX_ZOOM)
    const zoom = Math.abs(within - 1) < FIT_TOLERANCE ? 1 : within
    if (zoom === store.current.zoom) return
    if (store.current.zoom === 1) layout.measureFit()
    scrollTracker.ignoreOwnScroll()
    withScrollAnchor(main, layout.scroller(), at, () => {
      store.set({ zoom })
      layout.layOut()
    })
  }

  function reveal(page: number, box: Box): void {
    const sheet = pages.section(page)?.querySelector('.sheet')?.getBoundingClientRect()
    if (sheet === undefined) return
    const { top, bottom } = layout.isPaged()
      ? main.getBoundingClientRect()
      : { top: TOOLBAR_OVERLAP_PX, bottom: innerHeight }
    const edges = { top, bottom: bottom - HIT_BAR_OVERLAP_PX }
    revealBox(sheet, box, edges, layout.scroller(), scrollTracker.ignoreOwnScroll)
  }

  return {
    goTo,
    turn(by) {
      const target = adjacentPage(layout.isPaged() ? layout.shown() : [store.current.page], by, pageCount)
      if (target !== undefined) void goTo(target)
    },
    setView,
    zoomTo,
    reveal,
    fit() {
      layout.refit()
      scrollTracker.restorePosition()
    },
    shown: layout.shown,
  }
}

/** Slides pages in from one side. */
function slideIn(sections: Iterable<HTMLElement>, side: 'left' | 'right'): void {
  const from = side === 'right' ? SLIDE_PX : -SLIDE_PX
  const keyframes = [
    { opacity: 0.3, transform: `translateX(${from}px)` },
    { opacity: 1, transform: 'none' },
  ]
  for (const section of sections) section.animate(keyframes, { duration: 160, easing: 'ease-out' })
}
