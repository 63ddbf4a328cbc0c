import { type LoadedPages, pageOf } from '../document/loaded-pages.ts'
import { setImageWidth } from '../images/image-width.ts'
import type { ReaderStore } from '../state/reader-store.ts'
import { fittedWidths } from './fitted-widths.ts'
import { visiblePages } from './spreads.ts'

/** Decides which pages are on the screen, and how large. */
export type PageLayout = {
  isPaged(): boolean
  /** The element that scrolls. */
  scroller(): Element
  /** The pages on the screen, in the single and two-page views. */
  shown(): number[]
  /** The pages that the current view shows together with a page. */
  shownWith(page: number): number[]
  /** Applies the view, the zoom and the page of the store. */
  layOut(): void
  /** Does the same after the available space has changed. */
  refit(): void
  /** Measures the fitted width, which is possible only before zooming. */
  measureFit(): void
  /** Returns the widths of pages shown together, by page number, without those that are not loaded. */
  widths(numbers: readonly number[]): Map<number, number>
}

type Deps = {
  pageCount: number
  main: HTMLElement
  pages: LoadedPages
  store: ReaderStore
  /** Called when the size of pages may have changed. */
  onResize(): void
}

export function createPageLayout({ pageCount, main, pages, store, onResize }: Deps): PageLayout {
  const root = document.documentElement
  let fitWidth = 0

  const isPaged = () => store.current.view !== 'scroll'
  const isZoomed = () => store.current.zoom !== 1 && !store.current.isText
  const isLoaded = (page: number) => page >= pages.from && page <= pages.to
  const shownWith = (page: number) => visiblePages(page, store.current.view, pageCount, isLoaded)
  const shown = () => shownWith(store.current.page)

  function layOut(): void {
    const { zoom, view, isText } = store.current
    root.classList.toggle('paged', isPaged())
    // Text is enlarged without its column.
    root.classList.toggle('zoomed', isZoomed())
    root.classList.toggle('reading-text', isText)
    root.style.setProperty('--zoom', String(zoom))
    root.dataset.view = view
    hideOthers(isPaged() ? shown() : [])
    if (isPaged()) showPages(shown(), zoom)
    else if (isZoomed()) main.style.setProperty('--pages-width', `${measuredFit() * zoom}px`)
    onResize()
  }

  function hideOthers(numbers: readonly number[]): void {
    for (const section of main.querySelectorAll<HTMLElement>('.page.shown')) {
      if (numbers.includes(pageOf(section))) continue
      section.classList.remove('shown')
      section.style.removeProperty('--page-width')
    }
  }

  function showPages(numbers: readonly number[], zoom: number): void {
    for (const [page, width] of widths(numbers)) {
      const section = pages.section(page)!
      section.classList.add('shown')
      section.style.setProperty('--page-width', `${width * zoom}px`)
      setImageWidth(section, width * zoom)
    }
  }

  function widths(numbers: readonly number[]): Map<number, number> {
    const sections = numbers.map((page) => pages.section(page)).filter((section) => section !== undefined)
    const aspects = sections.map(({ dataset }) => Number(dataset.height) / Number(dataset.width))
    const fitted = fittedWidths(aspects, { width: main.clientWidth, height: main.clientHeight })
    return new Map(sections.map((section, at) => [pageOf(section), fitted[at]]))
  }

  function measuredFit(): number {
    if (!root.classList.contains('zoomed') || fitWidth === 0) {
      root.classList.remove('zoomed')
      fitWidth = main.clientWidth
      root.classList.toggle('zoomed', isZoomed())
    }
    return fitWidth
  }

  return {
    isPaged,
    scroller: () => (isPaged() ? main : root),
    shown,
    shownWith,
    layOut,
    refit() {
      fitWidth = 0
      layOut()
    },
    measureFit: () => void measuredFit(),
    widths,
  }
}
