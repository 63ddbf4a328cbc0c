import type { ReaderData } from '../state/reader-data.ts'
import type { ReaderStore } from '../state/reader-store.ts'
import type { Announcer } from '../ui/announcer.ts'
import type { ReaderTexts } from '../ui/texts.ts'
import type { LoadedImages } from './loaded-images.ts'
import type { LoadedPages } from './loaded-pages.ts'
import { createNavigation, type Navigation } from './navigation.ts'
import { createPageLayout } from './page-layout.ts'
import type { Box } from './page-words.ts'
import { revealBox } from './reveal.ts'
import type { Point } from './scroll-anchor.ts'
import { trackScrolling } from './scroll-tracker.ts'
import { zoomTo } from './zoom.ts'

/** Height of the toolbar over the top of the scrolled pages, with a margin. */
const TOOLBAR_OVERLAP_PX = 64
/** Height of the bar of search hits over the bottom of the pages, with a margin. */
const HIT_BAR_OVERLAP_PX = 72

export type Viewer = Navigation & {
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
  const layout = createPageLayout({ pageCount: data.pageCount, main, pages, store, onResize })
  const scrollTracker = trackScrolling(pages, store)
  pages.subscribe(layout.layOut)

  return {
    ...createNavigation({ data, texts, main, pages, images, layout, scrollTracker, store, announce }),
    zoomTo: (zoom, at) => zoomTo(zoom, at, { main, layout, scrollTracker, store }),
    reveal(page, box) {
      const sheet = pages.section(page)?.querySelector('.sheet')?.getBoundingClientRect()
      if (sheet === undefined) return
      const { top, bottom } = layout.isPaged()
        ? main.getBoundingClientRect()
        : { top: TOOLBAR_OVERLAP_PX, bottom: innerHeight }
      const edges = { top, bottom: bottom - HIT_BAR_OVERLAP_PX }
      revealBox(sheet, box, edges, layout.scroller(), scrollTracker.ignoreOwnScroll)
    },
    fit() {
      layout.refit()
      scrollTracker.restorePosition()
    },
    shown: layout.shown,
  }
}
