import type { HitBox } from '../search/find-on-page.ts'
import type { ReaderData } from '../state/reader-data.ts'
import type { ReadingState, View } from '../state/reader-state.ts'
import type { Announcer } from '../ui/announcer.ts'
import type { ReaderTexts } from '../ui/texts.ts'
import type { BoundedImages } from './loaded-images.ts'
import { type LoadedPages, labelOf } from './loaded-pages.ts'
import { createPageLayout } from './page-layout.ts'
import { revealBox } from './reveal.ts'
import { type Point, withPointKept } from './scroll-anchor.ts'
import { followReadingLine } from './scroll-tracker.ts'
import { isRightToLeft, pageBeside } from './spreads.ts'

export const MAX_ZOOM = 6
const MIN_ZOOM = { scroll: 0.5, single: 1, spread: 1 }
/** Three steps double. */
export const ZOOM_STEP = 2 ** (1 / 3)
/** What is as good as fitting fits. */
const FITS_WITHIN = 0.03
/** How far a page slides when it is turned to. */
const SLIDE_PX = 28
/** What lies over the top of pages that are scrolled through. */
const UNDER_BAR_PX = 64

export type Viewer = {
  goTo(page: number, how?: { isQuiet?: boolean }): Promise<void>
  turn(by: 1 | -1): void
  setView(view: View): void
  /** @param at what stays where it is on the screen; the middle without it */
  zoomTo(zoom: number, at?: Point): void
  /** Scrolls as far as it takes to see a part of a page. */
  reveal(page: number, box: HitBox): void
  /** Fits the pages anew, to the room there is now. */
  fit(): void
  shown(): number[]
}

type Parts = {
  data: ReaderData
  texts: ReaderTexts
  main: HTMLElement
  pages: LoadedPages
  images: BoundedImages
  state: ReadingState
  announce: Announcer
  /** Called when pages are larger or smaller than before. */
  onResize(): void
}

/** Shows pages: where they are, how many at once, how large. */
export function createViewer({ data, texts, main, pages, images, state, announce, onResize }: Parts): Viewer {
  const { pageCount } = data
  const calm = matchMedia('(prefers-reduced-motion: reduce)')
  const layout = createPageLayout({ pageCount, main, pages, state, onResize })
  const line = followReadingLine(pages, state)
  pages.follow(layout.layOut)

  async function goTo(wanted: number, { isQuiet = false } = {}): Promise<void> {
    const page = Math.min(Math.max(Math.round(wanted), 1), pageCount)
    const before = state.now.page
    try {
      await pages.bring(page)
    } catch {
      return announce(texts.loadFailed)
    }
    state.set({ page: layout.isPaged() ? (layout.together(page)[0] ?? page) : page })
    line.expectOwnScroll()
    if (layout.isPaged()) turnTo(state.now.page - before)
    else scrollTo(page, before)
    void prepareNeighbours()
    if (!isQuiet) say()
  }

  function turnTo(by: number): void {
    layout.layOut()
    main.scrollTo({ top: 0, left: 0, behavior: 'instant' })
    if (calm.matches || by === 0) return
    const isFromRight = by > 0 !== isRightToLeft(data.documentLanguage)
    slideIn(main.querySelectorAll<HTMLElement>('.page.shown'), isFromRight ? 'right' : 'left')
  }

  function scrollTo(page: number, before: number): void {
    const isStep = Math.abs(page - before) === 1 && !calm.matches
    pages.section(page)?.scrollIntoView({ behavior: isStep ? 'smooth' : 'instant', block: 'start' })
  }

  /** Has what can be turned to loaded before it is, and after what is seen now. */
  async function prepareNeighbours(): Promise<void> {
    const shown = layout.shown()
    const neighbours = ([1, -1] as const).map((by) => pageBeside(shown, by, pageCount))
    for (const page of neighbours) if (page !== undefined) pages.expect(page)
    if (!layout.isPaged()) return
    await images.arrived(shown.flatMap((page) => pages.section(page) ?? []))
    if (!layout.isPaged() || layout.shown()[0] !== shown[0]) return
    for (const page of neighbours) if (page !== undefined) prepareBeside(page)
  }

  function prepareBeside(beside: number): void {
    for (const [page, width] of layout.widths(layout.together(beside))) images.prepare(pages.section(page)!, width)
  }

  function say(): void {
    const [first, second] = layout.isPaged() ? layout.shown() : [state.now.page]
    const section = pages.section(first)
    const one = texts.pageOf(section ? labelOf(section) : String(first), pageCount)
    announce(second === undefined ? one : texts.pagesOf(first, second, pageCount))
  }

  function setView(view: View): void {
    if (view === state.now.view) return
    const { page } = state.now
    state.set({ view, zoom: 1 })
    layout.layOutAnew()
    void goTo(page, { isQuiet: true })
    announce(texts[view])
  }

  function zoomTo(wanted: number, at?: Point): void {
    const within = Math.min(Math.max(wanted, MIN_ZOOM[state.now.view]), MAX_ZOOM)
    const zoom = Math.abs(within - 1) < FITS_WITHIN ? 1 : within
    if (zoom === state.now.zoom) return
    if (state.now.zoom === 1) layout.measureFit()
    line.expectOwnScroll()
    withPointKept(main, layout.scroller(), at, () => {
      state.set({ zoom })
      layout.layOut()
    })
  }

  function reveal(page: number, box: HitBox): void {
    const sheet = pages.section(page)?.querySelector('.sheet')?.getBoundingClientRect()
    if (sheet === undefined) return
    const edges = layout.isPaged() ? main.getBoundingClientRect() : { top: UNDER_BAR_PX, bottom: innerHeight }
    revealBox(sheet, box, edges, layout.scroller(), line.expectOwnScroll)
  }

  return {
    goTo,
    turn(by) {
      const target = pageBeside(layout.isPaged() ? layout.shown() : [state.now.page], by, pageCount)
      if (target !== undefined) void goTo(target)
    },
    setView,
    zoomTo,
    reveal,
    fit() {
      layout.layOutAnew()
      line.keepPlace()
    },
    shown: layout.shown,
  }
}

/** Lets pages come in from the side that they are turned from. */
function slideIn(sections: Iterable<HTMLElement>, side: 'left' | 'right'): void {
  const from = side === 'right' ? SLIDE_PX : -SLIDE_PX
  const keyframes = [
    { opacity: 0.3, transform: `translateX(${from}px)` },
    { opacity: 1, transform: 'none' },
  ]
  for (const section of sections) section.animate(keyframes, { duration: 160, easing: 'ease-out' })
}
