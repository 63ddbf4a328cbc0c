import type { ReaderStore } from '../state/reader-store.ts'
import type { PageLayout } from './page-layout.ts'
import { type Point, withScrollAnchor } from './scroll-anchor.ts'
import type { ScrollTracker } from './scroll-tracker.ts'

const MAX_ZOOM = 6
const MIN_ZOOM = { scroll: 0.5, single: 1, spread: 1, text: 0.5 }
/** Three steps double the size. */
export const ZOOM_STEP = 2 ** (1 / 3)
/** A zoom this close to fitting becomes fitting. */
const FIT_TOLERANCE = 0.03

type Deps = { main: HTMLElement; layout: PageLayout; scrollTracker: ScrollTracker; store: ReaderStore }

/**
 * Zooms the pages, within the limits of the view.
 * @param at the point on the screen that stays in place; its centre by default
 */
export function zoomTo(wanted: number, at: Point | undefined, { main, layout, scrollTracker, store }: Deps): void {
  const { isText, view } = store.current
  const within = Math.min(Math.max(wanted, MIN_ZOOM[isText ? 'text' : view]), MAX_ZOOM)
  const zoom = Math.abs(within - 1) < FIT_TOLERANCE ? 1 : within
  if (zoom === store.current.zoom) return
  if (isText) {
    zoomText(zoom, { layout, scrollTracker, store })
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
function zoomText(zoom: number, { layout, scrollTracker, store }: Omit<Deps, 'main'>): void {
  const place = scrollTracker.place()
  store.set({ zoom })
  layout.layOut()
  if (place !== undefined) scrollTracker.moveTo(place)
}
