import type { ReaderStore } from '../document/reader-state.ts'
import { pageFromHash } from '../document/reading-position.ts'
import type { Place, Point } from '../pages/place.ts'
import type { ReaderDeps } from '../pages/reader-deps.ts'
import type { Viewer } from '../pages/viewer.ts'
import { createSwipe } from './page-turning.ts'

/** Two taps this close in time and distance are one double tap. */
const DOUBLE_TAP_MS = 300
const DOUBLE_TAP_PX = 24
const DOUBLE_TAP_ZOOM = 2.2
/** A finger that rests longer selects text, or opens a menu. */
const TAP_MS = 500
/** A tap this near to the left or right side of the screen turns the page: the reach of a thumb, short of most text. */
const EDGE_SHARE = 0.14
/** A notch of a mouse wheel is about 100 pixels; a trackpad sends many small steps. */
const WHEEL_STEP = 0.004

/** Handles zooming with Ctrl and the wheel, by pinching and by double tap; turns pages by swipes and taps at a side. */
export function handleGestures(deps: ReaderDeps, viewer: Viewer): void {
  handleWheel(deps, viewer)
  handleTouches(deps, viewer)
}

function handleWheel({ main, store }: ReaderDeps, viewer: Viewer): void {
  let factor = 1
  let at: Point = { x: 0, y: 0 }
  main.addEventListener(
    'wheel',
    (event) => {
      // Browsers report a pinch on a trackpad as a wheel event with Ctrl.
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      if (factor === 1)
        requestAnimationFrame(() => {
          viewer.zoomTo(store.current.zoom * factor, at)
          factor = 1
        })
      const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * 33 : event.deltaY
      factor *= Math.exp(-pixels * WHEEL_STEP)
      at = { x: event.clientX, y: event.clientY }
    },
    { passive: false },
  )
}

type Gesture = {
  kind: 'swipe' | 'pinch'
  from: Point
  distance: number
  zoom: number
  moved: Point
  startMs: number
  /** True if text was selected before: a tap then takes the selection back. */
  hadSelection: boolean
}

function handleTouches(deps: ReaderDeps, viewer: Viewer): void {
  const { main, store } = deps
  const swipe = createSwipe(deps, viewer)
  const tap = createTap(deps, viewer)
  let gesture: Gesture | undefined

  main.addEventListener('touchstart', (event) => {
    const [first, second] = event.touches
    swipe.cancel()
    const from = second ? between(first, second) : pointOf(first)
    const distance = second ? distanceOf(first, second) : 0
    gesture = {
      kind: second ? 'pinch' : 'swipe',
      from,
      distance,
      zoom: 1,
      moved: { x: 0, y: 0 },
      startMs: event.timeStamp,
      hadSelection: getSelection()?.isCollapsed === false,
    }
  })

  main.addEventListener(
    'touchmove',
    (event) => {
      if (gesture === undefined) return
      const [first, second] = event.touches
      if (gesture.kind === 'pinch' && second) {
        event.preventDefault()
        gesture.zoom = distanceOf(first, second) / gesture.distance
        preview(main, gesture.from, gesture.zoom)
      } else if (gesture.kind === 'swipe') {
        gesture.moved = { x: first.clientX - gesture.from.x, y: first.clientY - gesture.from.y }
        if (isSwipe(gesture)) swipe.move(gesture.moved.x)
      }
    },
    { passive: false },
  )

  main.addEventListener('touchcancel', () => {
    gesture = undefined
    main.style.transform = ''
    swipe.cancel()
  })

  main.addEventListener('touchend', (event) => {
    const ended = gesture
    if (ended === undefined || event.touches.length > 0) return
    gesture = undefined
    main.style.transform = ''
    main.style.transformOrigin = ''
    if (ended.kind === 'pinch') return viewer.zoomTo(store.current.zoom * ended.zoom, ended.from)
    if (isSwipe(ended)) {
      void swipe.end(ended.moved.x)
      return
    }
    swipe.cancel()
    if (Math.hypot(ended.moved.x, ended.moved.y) < DOUBLE_TAP_PX) tap(ended, event)
  })

  function isSwipe({ moved }: Gesture): boolean {
    const isAcross = Math.abs(moved.x) > 10 && Math.abs(moved.x) > 1.5 * Math.abs(moved.y)
    return (
      store.current.view !== 'scroll' && store.current.zoom === 1 && isAcross && getSelection()?.isCollapsed !== false
    )
  }
}

/** Returns what handles a tap: at a side of the screen it turns the page, twice in the same place it zooms. */
function createTap({ main, store, isRightToLeft }: ReaderDeps, viewer: Viewer) {
  let lastTap: (Point & { timeMs: number }) | undefined

  /** Returns the side at which a tap turns the page: in the single and two-page views, of a page that is not zoomed. */
  function sideOf({ x }: Point): 'left' | 'right' | undefined {
    const { view, zoom, isText } = store.current
    if (view === 'scroll' || zoom !== 1 || isText) return undefined
    const { left, width } = main.getBoundingClientRect()
    const share = (x - left) / width
    return share < EDGE_SHARE ? 'left' : share > 1 - EDGE_SHARE ? 'right' : undefined
  }

  return ({ from: at, startMs, hadSelection }: Gesture, event: TouchEvent): void => {
    if ((event.target as Element).closest('a, button')) return
    const side = sideOf(at)
    if (side !== undefined && !hadSelection && event.timeStamp - startMs < TAP_MS) {
      event.preventDefault()
      viewer.turn((side === 'right') !== isRightToLeft ? 1 : -1)
      return
    }
    const timeMs = event.timeStamp
    const isSecond =
      lastTap !== undefined &&
      timeMs - lastTap.timeMs < DOUBLE_TAP_MS &&
      Math.hypot(lastTap.x - at.x, lastTap.y - at.y) < DOUBLE_TAP_PX
    lastTap = isSecond ? undefined : { ...at, timeMs }
    if (!isSecond) return
    event.preventDefault()
    viewer.zoomTo(store.current.zoom === 1 ? DOUBLE_TAP_ZOOM : 1, at)
  }
}

/** Scales the drawn pages while the fingers move, which is cheap; layout follows when they are lifted. */
function preview(main: HTMLElement, at: Point, zoom: number): void {
  const { left, top } = main.getBoundingClientRect()
  if (main.style.transform === '') main.style.transformOrigin = `${at.x - left}px ${at.y - top}px`
  main.style.transform = `scale(${Math.min(Math.max(zoom, 0.3), 6)})`
}

function pointOf({ clientX, clientY }: Touch): Point {
  return { x: clientX, y: clientY }
}

function between(a: Touch, b: Touch): Point {
  return { x: (a.clientX + b.clientX) / 2, y: (a.clientY + b.clientY) / 2 }
}

function distanceOf(a: Touch, b: Touch): number {
  return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY)
}

/** At this width a panel covers the pages. */
const NARROW = '(max-width: 47.99rem)'

/** Handles links to pages of the document, also in another part of it, without leaving the HTML page. */
export function handleLinks(viewer: Viewer, store: ReaderStore): void {
  const narrow = matchMedia(NARROW)
  const closeCoveringPanel = () => {
    if (narrow.matches) store.set({ panel: undefined })
  }
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement | SVGAElement>('a[href]')
    if (link === null || event.defaultPrevented || event.button !== 0) return
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    const address = new URL(link.getAttribute('href')!, location.href)
    const page = pageFromHash(address.hash)
    if (page === undefined || address.origin !== location.origin || address.pathname !== location.pathname) return
    event.preventDefault()
    closeCoveringPanel()
    pushHistoryEntry(store.current.page, viewer.place(), address.hash)
    void viewer.goTo(page)
  })
  document.addEventListener('resultopened', closeCoveringPanel)
  addEventListener('popstate', (event) => {
    const page = pageFromHash(location.hash)
    const place = (event.state as { place?: Place } | null)?.place
    if (place !== undefined && place.page === page)
      void viewer.restore({ place, page: place.page, zoom: store.current.zoom }, { isQuiet: false })
    else if (page !== undefined && page !== store.current.page) void viewer.goTo(page)
  })
}

/** Adds a history entry, so that going back returns to the place with the link. */
function pushHistoryEntry(from: number, place: Place | undefined, hash: string): void {
  const address = new URL(location.href)
  address.hash = `page-${from}`
  history.replaceState({ place: place?.page === from ? place : undefined }, '', address)
  address.hash = hash
  if (address.href !== location.href) history.pushState(null, '', address)
}
