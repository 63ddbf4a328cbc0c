import type { LoadedPages } from '../document/loaded-pages.ts'
import type { Box } from '../document/page-words.ts'
import type { LoadedImages } from '../images/loaded-images.ts'
import type { ReaderData } from '../state/reader-data.ts'
import type { ReaderStore } from '../state/reader-store.ts'
import type { Announcer } from '../ui/announcer.ts'
import type { ReaderTexts } from '../ui/texts.ts'
import type { KeptPlace } from './kept-place.ts'
import { createNavigation, type Navigation } from './navigation.ts'
import { createPageLayout } from './page-layout.ts'
import type { Place } from './place.ts'
import { revealBox } from './reveal.ts'
import type { Point } from './scroll-anchor.ts'
import { trackScrolling } from './scroll-tracker.ts'
import { createTextChoice } from './text-choice.ts'
import { zoomTo } from './zoom.ts'

/** Space between the toolbar over the top of the scrolled pages and what is revealed. */
const TOOLBAR_MARGIN_PX = 12
/** Height of the bar of search hits over the bottom of the pages, with a margin. */
const HIT_BAR_OVERLAP_PX = 72

export type Viewer = Navigation & {
  /** @param at the point on the screen that stays in place; its centre by default */
  zoomTo(zoom: number, at?: Point): void
  /** Scrolls a part of a page into view. */
  reveal(page: number, box: Box): void
  /** Fits the pages to the space available now. */
  fit(): void
  /** Shows the text of the pages instead of their images, or the images again. */
  showText(isText: boolean): void
  shown(): number[]
  /** The place being read. */
  place(): Place | undefined
  /** Opens exactly the place that was being read, at its zoom. */
  restore(kept: Pick<KeptPlace, 'place' | 'page' | 'zoom'>, how?: { isQuiet?: boolean }): Promise<void>
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
  const bar = document.getElementById('reader-bar')!
  const layout = createPageLayout({ pageCount: data.pageCount, main, pages, store, onResize })
  const scrollTracker = trackScrolling({ main, pages, store, layout })
  pages.subscribe(layout.layOut)

  const navigation = createNavigation({ data, texts, main, pages, images, layout, scrollTracker, store, announce })

  return {
    ...navigation,
    zoomTo: (zoom, at) => zoomTo(zoom, at, { main, layout, scrollTracker, store }),
    reveal(page, box) {
      const sheet = pages.section(page)?.querySelector('.sheet')?.getBoundingClientRect()
      if (sheet === undefined) return
      const { top, bottom } = layout.isPaged()
        ? main.getBoundingClientRect()
        : { top: bar.offsetHeight + TOOLBAR_MARGIN_PX, bottom: innerHeight }
      const edges = { top, bottom: bottom - HIT_BAR_OVERLAP_PX }
      revealBox(sheet, box, edges, layout.scroller(), scrollTracker.ignoreOwnScroll)
    },
    fit() {
      layout.refit()
      scrollTracker.restorePlace()
    },
    showText: createTextChoice({ texts, store, layout, scrollTracker, announce }),
    shown: layout.shown,
    place: scrollTracker.place,
    async restore({ place, page, zoom }, { isQuiet = true } = {}) {
      await navigation.goTo(place.page, { isQuiet })
      if (store.current.zoom === 1) layout.measureFit()
      store.set({ zoom })
      layout.layOut()
      scrollTracker.moveTo(place)
      if (!layout.isPaged() && pages.section(page) !== undefined) store.set({ page })
    },
  }
}
