import type { ReadingState } from '../state/reader-state.ts'
import { fittedWidths } from './fitted-widths.ts'
import { tellImageWidth } from './image-width.ts'
import { type LoadedPages, pageOf } from './loaded-pages.ts'
import { pagesShown } from './spreads.ts'

/** Pages on the screen: which, and how large. */
export type PageLayout = {
  isPaged(): boolean
  /** What is scrolled to see more of them. */
  scroller(): Element
  shown(): number[]
  /** The pages that are seen together with one, in the view there is now. */
  together(page: number): number[]
  /** Puts the view, the zoom and the pages of the state on the screen. */
  layOut(): void
  /** The same, where there is more or less room than before. */
  layOutAnew(): void
  /** Remembers how wide pages are that fit, which can be measured before they are zoomed only. */
  measureFit(): void
  /** How wide pages will be that are seen together, by their numbers; those that are not here are left out. */
  widths(together: readonly number[]): Map<number, number>
}

type Parts = {
  pageCount: number
  main: HTMLElement
  pages: LoadedPages
  state: ReadingState
  /** Called when pages may be larger or smaller than before. */
  onResize(): void
}

export function createPageLayout({ pageCount, main, pages, state, onResize }: Parts): PageLayout {
  const root = document.documentElement
  let fitWidth = 0

  const isPaged = () => state.now.view !== 'scroll'
  const isHere = (page: number) => page >= pages.from && page <= pages.to
  const together = (page: number) => pagesShown(page, state.now.view, pageCount, isHere)
  const shown = () => together(state.now.page)

  function layOut(): void {
    const { zoom, view } = state.now
    root.classList.toggle('paged', isPaged())
    root.classList.toggle('zoomed', zoom !== 1)
    root.style.setProperty('--zoom', String(zoom))
    root.dataset.view = view
    hideOthers(isPaged() ? shown() : [])
    if (isPaged()) showTogether(shown(), zoom)
    else if (zoom !== 1) main.style.setProperty('--pages-width', `${measuredFit() * zoom}px`)
    onResize()
  }

  function hideOthers(together: readonly number[]): void {
    for (const section of main.querySelectorAll<HTMLElement>('.page.shown')) {
      if (together.includes(pageOf(section))) continue
      section.classList.remove('shown')
      section.style.removeProperty('--page-width')
    }
  }

  function showTogether(together: readonly number[], zoom: number): void {
    for (const [page, width] of widths(together)) {
      const section = pages.section(page)!
      section.classList.add('shown')
      section.style.setProperty('--page-width', `${width * zoom}px`)
      tellImageWidth(section, width * zoom)
    }
  }

  function widths(together: readonly number[]): Map<number, number> {
    const sections = together.map((page) => pages.section(page)).filter((section) => section !== undefined)
    const shapes = sections.map(({ dataset }) => Number(dataset.height) / Number(dataset.width))
    const fitted = fittedWidths(shapes, { width: main.clientWidth, height: main.clientHeight })
    return new Map(sections.map((section, at) => [pageOf(section), fitted[at]]))
  }

  function measuredFit(): number {
    if (!root.classList.contains('zoomed') || fitWidth === 0) {
      root.classList.remove('zoomed')
      fitWidth = main.clientWidth
      root.classList.toggle('zoomed', state.now.zoom !== 1)
    }
    return fitWidth
  }

  return {
    isPaged,
    scroller: () => (isPaged() ? main : root),
    shown,
    together,
    layOut,
    layOutAnew() {
      fitWidth = 0
      layOut()
    },
    measureFit: () => void measuredFit(),
    widths,
  }
}
