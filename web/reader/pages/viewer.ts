import type { LoadedImages } from './loaded-images.ts'
import { createNavigation, type ViewerDeps } from './navigation.ts'
import { createPageLayout } from './page-layout.ts'
import { type OpenedPlace, type Point, scrollInstantly, withScrollAnchor } from './place.ts'
import type { ReaderDeps } from './reader-deps.ts'
import { trackScrolling } from './scroll-tracker.ts'
import type { Box } from './words.ts'

/** Space between the toolbar over the top of the scrolled pages and the revealed element. */
const TOOLBAR_MARGIN_PX = 12
/** Height of the bar of search hits over the bottom of the pages, with a margin. */
const HIT_BAR_OVERLAP_PX = 72

export type Viewer = ReturnType<typeof createViewer>

/**
 * Shows the pages: which, how many at once and how large. `onResize` is called when the size of pages may have changed.
 */
export function createViewer(reader: ReaderDeps, images: LoadedImages, onResize: () => void) {
  const { main, bar, pages, store, announce, t } = reader
  const layout = createPageLayout(reader, onResize)
  const scrollTracker = trackScrolling(reader, layout)
  pages.subscribe(layout.layOut)
  const deps = { ...reader, images, layout, scrollTracker }
  const navigation = createNavigation(deps)

  return {
    ...navigation,
    /** @param at the point on the screen that stays in place; its centre by default */
    zoomTo: (zoom: number, at?: Point) => zoomTo(zoom, at, deps),
    /** Returns the size of the current page as a share of its size on paper; the zoom where the file does not tell. */
    scale: () => scaleOf(deps),
    /** Zooms to a share of the size on paper: 1 is the actual size. */
    zoomToScale: (scale: number) => zoomTo((store.current.zoom * scale) / scaleOf(deps), undefined, deps, EXACTLY),
    /** Zooms until the current page, or both, are as wide as the space for them. */
    fitWidth(): void {
      const shown = layout
        .shown()
        .map((page) => pages.section(page)?.querySelector('.sheet')?.getBoundingClientRect().width ?? 0)
      const width = shown.reduce((sum, each) => sum + each, 0)
      const space = layout.isPaged() ? main.clientWidth : document.documentElement.clientWidth
      if (width > 0) zoomTo((store.current.zoom * space) / width, undefined, deps, EXACTLY)
    },
    /** Turns all pages by a quarter clockwise. */
    rotate(): void {
      const rotation = (store.current.rotation + 90) % 360
      store.set({ rotation, zoom: 1 })
      layout.refit()
      scrollTracker.restorePlace()
      announce(t('rotated', { degrees: rotation }))
    },
    /** Scrolls a part of a page into view. */
    reveal(page: number, box: Box): void {
      const sheet = pages.section(page)?.querySelector('.sheet')?.getBoundingClientRect()
      if (sheet === undefined) return
      const { top, bottom } = layout.isPaged()
        ? main.getBoundingClientRect()
        : { top: bar.offsetHeight + TOOLBAR_MARGIN_PX, bottom: innerHeight }
      const edges = { top, bottom: bottom - HIT_BAR_OVERLAP_PX }
      revealBox(sheet, turnedBox(box, store.current.rotation), edges, layout.scroller(), scrollTracker.ignoreOwnScroll)
    },
    /** Fits the pages to the space available now. */
    fit(): void {
      layout.refit()
      scrollTracker.restorePlace()
    },
    /** Shows the text of the pages instead of their images, or the images again. */
    showText: createTextChoice(deps),
    shown: layout.shown,
    /** Returns the fitted widths of the pages that the view shows together with a page, by their numbers. */
    widthsWith: (page: number) => layout.widths(layout.shownWith(page)),
    place: scrollTracker.place,
    /** Opens exactly the place that was being read, at its zoom. */
    async restore({ place, page, zoom }: OpenedPlace, { isQuiet = true } = {}): Promise<void> {
      await navigation.goTo(place.page, { isQuiet })
      if (store.current.zoom === 1) layout.measureFit()
      store.set({ zoom })
      layout.layOut()
      scrollTracker.moveTo(place)
      if (!layout.isPaged() && pages.section(page) !== undefined) store.set({ page })
    },
  }
}

/** CSS pixels of a point on paper (CSS Values 4, 6.2). */
const PX_PER_PT = 96 / 72

function scaleOf({ pages, store }: ViewerDeps): number {
  const section = pages.section(store.current.page)
  const widthPt = Number(section?.dataset.points ?? 0)
  const width = section?.querySelector('.sheet')?.clientWidth ?? 0
  return widthPt > 0 && width > 0 && !store.current.isText ? width / (widthPt * PX_PER_PT) : store.current.zoom
}

const MAX_ZOOM = 6
const MIN_ZOOM = { scroll: 0.5, single: 1, spread: 1, text: 0.5 }
/** Three steps double the size. */
export const ZOOM_STEP = 2 ** (1 / 3)
/** A zoom this close to fitting becomes fitting. */
const FIT_TOLERANCE = 0.03
const EXACTLY = 0.001

/**
 * Zooms the pages, within the limits of the view.
 * @param at the point on the screen that stays in place; its centre by default
 * @param tolerance a zoom this close to fitting becomes fitting
 */
function zoomTo(wanted: number, at: Point | undefined, deps: ViewerDeps, tolerance = FIT_TOLERANCE): void {
  const { main, layout, scrollTracker, store } = deps
  const { isText, view } = store.current
  const within = Math.min(Math.max(wanted, MIN_ZOOM[isText ? 'text' : view]), MAX_ZOOM)
  const zoom = Math.abs(within - 1) < tolerance ? 1 : within
  if (zoom === store.current.zoom) return
  if (isText) {
    zoomText(zoom, deps)
    return
  }
  if (store.current.zoom === 1) layout.measureFit()
  scrollTracker.ignoreOwnScroll()
  withScrollAnchor(main, layout.scroller(), at, () => {
    store.set({ zoom })
    layout.layOut()
  })
}

/** Enlarges the text around the line being read: its pages change their length, and a point of a page says little. */
function zoomText(zoom: number, { layout, scrollTracker, store }: ViewerDeps): void {
  const place = scrollTracker.place()
  store.set({ zoom })
  layout.layOut()
  if (place !== undefined) scrollTracker.moveTo(place)
}

/** Returns the box of a part of a page once the page is turned clockwise by a number of degrees. */
function turnedBox({ x, y, width, height }: Box, rotation: number): Box {
  if (rotation === 90) return { x: 1 - y - height, y: x, width: height, height: width }
  if (rotation === 180) return { x: 1 - x - width, y: 1 - y - height, width, height }
  if (rotation === 270) return { x: y, y: 1 - x - width, width: height, height: width }
  return { x, y, width, height }
}

/** Anything closer to an edge counts as hidden. */
const EDGE_PX = { x: 20, y: 40 }

/** Scrolls a part of a sheet into view between the edges, if it is not there already. */
function revealBox(
  sheet: DOMRect,
  box: Box,
  edges: { top: number; bottom: number },
  scroller: Element,
  onScroll: () => void,
): void {
  const x = sheet.left + (box.x + box.width / 2) * sheet.width
  const y = sheet.top + (box.y + box.height / 2) * sheet.height
  const isAcross = x > EDGE_PX.x && x < innerWidth - EDGE_PX.x
  if (isAcross && y > edges.top + EDGE_PX.y && y < edges.bottom - EDGE_PX.y) return
  onScroll()
  scrollInstantly(scroller, isAcross ? 0 : x - innerWidth / 2, y - (edges.top + edges.bottom) / 2)
}

/**
 * Lets the reader choose between the images and the text of pages, also by the page's own buttons, and keeps the place.
 * Returns the function that chooses.
 */
function createTextChoice({ t, store, layout, scrollTracker, announce }: ViewerDeps): (isText: boolean) => void {
  const inputs = [...document.querySelectorAll<HTMLInputElement>('#view-pages, #view-text')]

  function choose(isText: boolean): void {
    for (const input of inputs) input.checked = (input.id === 'view-text') === isText
    if (isText === store.current.isText) return
    store.set({ isText, zoom: 1 })
    layout.refit()
    scrollTracker.restorePlace()
    announce(isText ? t('textShown') : t('pagesShown'))
  }

  document.documentElement.classList.toggle('reading-text', store.current.isText)
  for (const input of inputs) input.checked = (input.id === 'view-text') === store.current.isText
  for (const input of inputs) input.addEventListener('change', () => choose(input.id === 'view-text'))
  return choose
}
