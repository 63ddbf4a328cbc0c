import { aspectOf, pageOf } from '../document/loaded-pages.ts'
import type { View } from '../document/reader-state.ts'
import { setImageWidth } from './page-image.ts'
import type { ReaderDeps } from './reader-deps.ts'

export type PageLayout = ReturnType<typeof createPageLayout>

/**
 * Decides which pages are on the screen, and how large. `onResize` is called when the size of pages may have changed.
 */
export function createPageLayout({ data: { pageCount }, main, pages, store }: ReaderDeps, onResize: () => void) {
  const root = document.documentElement
  let fitWidth = 0

  const isPaged = () => store.current.view !== 'scroll'
  const isZoomed = () => store.current.zoom !== 1 && !store.current.isText
  const isLoaded = (page: number) => page >= pages.from && page <= pages.to
  /** Returns the pages that the current view shows together with a page. */
  const shownWith = (page: number) => visiblePages(page, store.current.view, pageCount, isLoaded)
  /** Returns the pages on the screen, in the single and two-page views. */
  const shown = () => shownWith(store.current.page)

  /** Applies the view, the zoom and the page of the store. */
  function layOut(): void {
    const { zoom, view, isText, rotation } = store.current
    root.classList.toggle('paged', isPaged())
    // Text is enlarged without its column.
    root.classList.toggle('zoomed', isZoomed())
    root.classList.toggle('reading-text', isText)
    root.style.setProperty('--zoom', String(zoom))
    root.dataset.view = view
    turnPages(pages.sections(), rotation)
    hideOthers(isPaged() ? shown() : [])
    if (isPaged()) showPages(shown(), zoom)
    else if (isZoomed()) enlargeAll(measuredFit() * zoom)
    onResize()
  }

  /** Gives all pages of the scrolled view a width. Browsers load their images long before the pages come near. */
  function enlargeAll(width: number): void {
    main.style.setProperty('--pages-width', `${width}px`)
    if (store.current.zoom < 1) return
    for (const section of pages.sections()) setImageWidth(section, imageWidth(section, width))
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
      setImageWidth(section, imageWidth(section, width * zoom))
    }
  }

  /** Returns the widths of pages shown together, by page number, without pages that are not loaded. */
  function widths(numbers: readonly number[]): Map<number, number> {
    const sections = numbers.map((page) => pages.section(page)).filter((section) => section !== undefined)
    const isTurned = isSideways(store.current.rotation)
    const aspects = sections.map((section) => (isTurned ? 1 / aspectOf(section) : aspectOf(section)))
    const fitted = fittedWidths(aspects, { width: main.clientWidth, height: main.clientHeight })
    return new Map(sections.map((section, at) => [pageOf(section), fitted[at]]))
  }

  /** Returns the width of the image of a page that takes a width on the screen. */
  function imageWidth(section: HTMLElement, width: number): number {
    return isSideways(store.current.rotation) ? width / aspectOf(section) : width
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
    /** The element that scrolls. */
    scroller: (): Element => (isPaged() ? main : root),
    shown,
    shownWith,
    layOut,
    /** Lays the pages out again after the available space has changed. */
    refit(): void {
      fitWidth = 0
      layOut()
    },
    /** Measures the fitted width, which is possible only before zooming. */
    measureFit: () => void measuredFit(),
    widths,
    imageWidth,
  }
}

/** Turns the pages on the screen; the stylesheet needs the shape of those that lie on their side. */
function turnPages(sections: readonly HTMLElement[], rotation: number): void {
  const { dataset, classList } = document.documentElement
  if (rotation === 0) delete dataset.rotation
  else dataset.rotation = String(rotation)
  classList.toggle('sideways', isSideways(rotation))
  if (!isSideways(rotation)) return
  for (const section of sections) section.style.setProperty('--aspect', String(aspectOf(section)))
}

/** Returns whether pages lie on their side. */
function isSideways(rotation: number): boolean {
  return rotation % 180 !== 0
}

/**
 * Returns the pages shown together with a page: two by two as in a bound book, whose first page stands alone.
 * @param isLoaded excludes pages of another part of the document
 */
export function visiblePages(
  page: number,
  view: View,
  pageCount: number,
  isLoaded: (page: number) => boolean = () => true,
): number[] {
  if (view !== 'spread' || page === 1) return [page]
  const left = page - (page % 2)
  return [left, left + 1].filter((shown) => shown <= pageCount && isLoaded(shown))
}

/** On an upright phone, each of two pages would be as wide as a thumb. */
export const NARROW_SPREAD = '(max-width: 37.49rem) and (orientation: portrait)'

/** Returns the view that this screen offers in place of another. */
export function offeredView(view: View): View {
  return view === 'spread' && matchMedia(NARROW_SPREAD).matches ? 'single' : view
}

/** Returns the page before or after those shown; undefined at the ends. */
export function adjacentPage(shown: readonly number[], by: 1 | -1, pageCount: number): number | undefined {
  const target = by === 1 ? shown[shown.length - 1] + 1 : shown[0] - 1
  return target < 1 || target > pageCount ? undefined : target
}

/** Space left free on each side of the pages. */
const MARGIN_PX = 12
/** Pages taller than this many widths would be too narrow to read if they were fitted: they keep a readable width. */
const MIN_TALL_ASPECT = 3
const MIN_READABLE_PX = 600

/**
 * Returns the widths at which pages fit the screen side by side, all of one height.
 * @param aspects the height of each page divided by its width
 * @param space in pixels, with the margins around the pages
 */
export function fittedWidths(aspects: readonly number[], space: { width: number; height: number }): number[] {
  // Facing pages touch, as in a book; narrow and low screens have no margins to spare.
  const width = space.width - (space.width < 600 ? 0 : 2 * MARGIN_PX)
  const maxHeight = space.height - (space.height < 400 ? MARGIN_PX / 2 : 2 * MARGIN_PX)
  const widthPerHeight = aspects.reduce((sum, aspect) => sum + 1 / aspect, 0)
  const height = Math.max(Math.min(maxHeight, width / widthPerHeight), 50)
  return aspects.map((aspect) => {
    const minWidth = aspect > MIN_TALL_ASPECT ? Math.min(MIN_READABLE_PX, width / aspects.length) : 0
    return Math.floor(Math.max(height / aspect, minWidth))
  })
}
