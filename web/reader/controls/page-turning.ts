import { pageOf } from '../document/loaded-pages.ts'
import { element, icon, icons } from '../elements.ts'
import { reducedMotion } from '../pages/navigation.ts'
import { adjacentPage } from '../pages/page-layout.ts'
import type { ReaderDeps } from '../pages/reader-deps.ts'
import type { Viewer } from '../pages/viewer.ts'

/** Turns of a wheel, in pixels, that turn one page: a notch of a mouse wheel is about 100. */
const WHEEL_TURN_PX = 60
/** A trackpad goes on sending steps for a while after the fingers have left it. They belong to the turn before. */
const WHEEL_REST_MS = 180
const DOUBLE_CLICK_ZOOM = 2.2
/** A page that scrolls no further than this is at its end. */
const END_PX = 2

/**
 * Turns pages in the single and two-page views with the mouse: by the wheel, once a zoomed page is at its end, and by
 * the arrows at both sides. A double click beside words zooms.
 */
export function handleMouse(deps: ReaderDeps, viewer: Viewer): void {
  handleWheel(deps, viewer)
  addSideArrows(deps, viewer)
  deps.main.addEventListener('dblclick', ({ target, clientX, clientY }) => {
    const { view, zoom, isText } = deps.store.current
    if (view === 'scroll' || isText || (target as Element).closest('.words > span, a, button, .note')) return
    getSelection()?.removeAllRanges()
    viewer.zoomTo(zoom === 1 ? DOUBLE_CLICK_ZOOM : 1, { x: clientX, y: clientY })
  })
}

/** Returns whether the pages of the single and two-page views scroll further down, or up with -1. */
export function canScrollOn(main: HTMLElement, by: 1 | -1): boolean {
  const { scrollTop, scrollHeight, clientHeight } = main
  return by === 1 ? scrollTop + clientHeight < scrollHeight - END_PX : scrollTop > END_PX
}

/**
 * Returns whether the pages of the single and two-page views are wider than the screen. Pages that are sliding in count
 * as if they lay in their place: keys that are pressed meanwhile turn on.
 */
export function canScrollAcross(main: HTMLElement): boolean {
  const shown = [...main.querySelectorAll<HTMLElement>('.page.shown')]
  return shown.reduce((sum, { offsetWidth }) => sum + offsetWidth, 0) > main.clientWidth + END_PX
}

function handleWheel({ main, store, data: { pageCount } }: ReaderDeps, viewer: Viewer): void {
  let turnedPx = 0
  let lastStepMs = -Infinity
  /** True until the wheel rests, after a turn or a scroll that reached the end of the page. */
  let isSpent = false
  main.addEventListener(
    'wheel',
    (event) => {
      if (store.current.view === 'scroll' || event.ctrlKey || event.metaKey || event.shiftKey) return
      const isAcross = Math.abs(event.deltaX) > Math.abs(event.deltaY)
      if (isAcross && canScrollAcross(main)) return
      const stepPx = (isAcross ? event.deltaX : event.deltaY) * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 33 : 1)
      if (event.timeStamp - lastStepMs > WHEEL_REST_MS) {
        turnedPx = 0
        isSpent = false
      }
      lastStepMs = event.timeStamp
      const by = stepPx > 0 ? 1 : -1
      if (!isAcross && canScrollOn(main, by)) {
        isSpent = true
        return
      }
      // At the ends of the document, and in a frame that nobody reads in, the wheel moves what is around the reader.
      const isElsewhere = window.parent !== window && !document.hasFocus()
      if (isElsewhere || adjacentPage(viewer.shown(), by, pageCount) === undefined) return
      event.preventDefault()
      turnedPx += stepPx
      if (isSpent || Math.abs(turnedPx) < WHEEL_TURN_PX) return
      isSpent = true
      viewer.turn(by, { isAtEnd: by === -1 })
    },
    { passive: false },
  )
}

/** Adds an arrow at each side of the pages, for mice. The toolbar has the buttons for keys and screen readers. */
function addSideArrows({ main, data: { pageCount }, store, isRightToLeft }: ReaderDeps, viewer: Viewer): void {
  const arrows = ([-1, 1] as const).map((by) => {
    const isLeft = (by === -1) !== isRightToLeft
    const arrow = element(
      'button',
      { type: 'button', class: `side-arrow ${isLeft ? 'left' : 'right'}`, tabindex: '-1', 'aria-hidden': 'true' },
      icon(isLeft ? icons.previous : icons.next),
    )
    // The focus stays in the document, so that keys go on turning pages.
    arrow.addEventListener('mousedown', (event) => event.preventDefault())
    arrow.addEventListener('click', () => viewer.turn(by))
    return { by, arrow }
  })
  main.after(...arrows.map(({ arrow }) => arrow))
  const show = () => {
    const shown = viewer.shown()
    for (const { by, arrow } of arrows) arrow.hidden = adjacentPage(shown, by, pageCount) === undefined
  }
  store.subscribe(show)
  show()
}

/** Distance a finger moves before it turns the page. */
const SWIPE_PX = 48
const SETTLE_MS = 180

/** Moves the pages with a finger, with the pages that the swipe turns to beside them. */
export function createSwipe({ main, data: { pageCount }, pages, isRightToLeft }: ReaderDeps, viewer: Viewer) {
  let moved: HTMLElement[] = []
  let neighbours: HTMLElement[] = []
  let side: 1 | -1 | 0 = 0

  /** Lays out the pages that lie towards a side of the screen, beyond its edge. */
  function bring(towards: 1 | -1): void {
    putBack()
    side = towards
    const by = (towards === 1) !== isRightToLeft ? 1 : -1
    const target = adjacentPage(viewer.shown(), by, pageCount)
    const widths = target === undefined ? new Map<number, number>() : viewer.widthsWith(target)
    const space = main.clientWidth
    let left = towards * space + (space - [...widths.values()].reduce((sum, width) => sum + width, 0)) / 2
    const inOrder = isRightToLeft ? [...widths].reverse() : [...widths]
    neighbours = inOrder.flatMap(([page, width]) => {
      const section = pages.section(page)
      if (section === undefined) return []
      section.classList.add('beside')
      section.style.setProperty('--page-width', `${width}px`)
      section.style.left = `${left}px`
      left += width
      return section
    })
  }

  function putBack(): void {
    for (const section of [...moved, ...neighbours]) {
      section.style.transform = ''
      section.style.left = ''
      section.classList.remove('beside')
      if (!viewer.shown().includes(pageOf(section))) section.style.removeProperty('--page-width')
    }
    main.classList.remove('swiping')
    moved = []
    neighbours = []
    side = 0
  }

  return {
    /** Moves the pages by a distance across the screen, in pixels; at the first and last page they follow less. */
    move(x: number): void {
      const towards = x < 0 ? 1 : -1
      if (side !== towards) bring(towards)
      main.classList.add('swiping')
      moved = [...main.querySelectorAll<HTMLElement>('.page.shown')]
      const followed = neighbours.length > 0 ? x : x / 4
      for (const section of [...moved, ...neighbours]) section.style.transform = `translateX(${followed}px)`
    },
    /** Ends the swipe: slides on to the next pages if it went far enough, else back. */
    async end(x: number): Promise<void> {
      if (side === 0) return
      const isTurn = Math.abs(x) > SWIPE_PX && neighbours.length > 0
      const by = x < 0 !== isRightToLeft ? 1 : -1
      const to = isTurn ? -side * main.clientWidth : 0
      const sliding = [...moved, ...neighbours]
      if (!reducedMotion.matches)
        await Promise.all(
          sliding.map((section) =>
            section
              .animate({ transform: `translateX(${to}px)` }, { duration: SETTLE_MS, easing: 'ease-out', fill: 'none' })
              .finished.catch(() => {}),
          ),
        )
      putBack()
      if (isTurn) viewer.turn(by, { isSwiped: true })
      else if (Math.abs(x) > SWIPE_PX) viewer.turn(by)
    },
    cancel: putBack,
  }
}
