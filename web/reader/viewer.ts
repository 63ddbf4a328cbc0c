import type { Announcer } from './announcer.ts'
import type { BoundedImages } from './bounded-images.ts'
import type { HitBox } from './find-on-page.ts'
import { fittedWidths } from './fitted-widths.ts'
import { type Point, scrollByAtOnce, withPointKept } from './kept-point.ts'
import { type LoadedPages, labelOf, pageOf } from './loaded-pages.ts'
import type { ReaderData } from './reader-data.ts'
import type { ReadingState, View } from './reading-state.ts'
import { isRightToLeft, pageBeside, pagesShown } from './spreads.ts'
import type { ReaderTexts } from './texts.ts'

export const MAX_ZOOM = 6
const MIN_ZOOM = { scroll: 0.5, single: 1, spread: 1 }
/** Three steps double. */
export const ZOOM_STEP = 2 ** (1 / 3)

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
  const root = document.documentElement
  const calm = matchMedia('(prefers-reduced-motion: reduce)')
  const isHere = (page: number) => page >= pages.from && page <= pages.to
  const isPaged = () => state.now.view !== 'scroll'
  const scroller = () => (isPaged() ? main : root)
  let fitWidth = 0
  /** Until when scrolling is our own and says nothing about what is read. */
  let ownScrollUntil = 0

  function shown(): number[] {
    return pagesShown(state.now.page, state.now.view, data.pageCount, isHere)
  }

  /** Puts the view, the zoom and the pages of the state on the screen. */
  function layOut(): void {
    const { zoom, view } = state.now
    root.classList.toggle('paged', isPaged())
    root.classList.toggle('zoomed', zoom !== 1)
    root.style.setProperty('--zoom', String(zoom))
    root.dataset.view = view
    const together = isPaged() ? shown() : []
    for (const section of main.querySelectorAll<HTMLElement>('.page.shown')) {
      if (together.includes(pageOf(section))) continue
      section.classList.remove('shown')
      section.style.removeProperty('--page-width')
    }
    if (isPaged()) layOutPaged(together, zoom)
    else if (zoom !== 1) main.style.setProperty('--pages-width', `${measuredFit() * zoom}px`)
    onResize()
  }

  function layOutPaged(together: number[], zoom: number): void {
    const sections = together.map((page) => pages.section(page)).filter((section) => section !== undefined)
    for (const section of sections) section.classList.add('shown')
    const room = { width: main.clientWidth, height: main.clientHeight }
    const shapes = sections.map(({ dataset }) => Number(dataset.height) / Number(dataset.width))
    const widths = fittedWidths(shapes, room)
    for (const [at, section] of sections.entries()) section.style.setProperty('--page-width', `${widths[at] * zoom}px`)
  }

  /** How wide the pages are when they fit; only then can it be measured. */
  function measuredFit(): number {
    if (!root.classList.contains('zoomed') || fitWidth === 0) {
      root.classList.remove('zoomed')
      fitWidth = main.clientWidth
      root.classList.toggle('zoomed', state.now.zoom !== 1)
    }
    return fitWidth
  }

  function say(): void {
    const [first, second] = isPaged() ? shown() : [state.now.page]
    const section = pages.section(first)
    const one = texts.pageOf(section ? labelOf(section) : String(first), data.pageCount)
    announce(second === undefined ? one : texts.pagesOf(first, second, data.pageCount))
  }

  function prepareNeighbours(): void {
    const together = shown()
    for (const page of [together[0] - 1, together[together.length - 1] + 1, together[together.length - 1] + 2]) {
      const section = pages.section(page)
      if (section !== undefined && isPaged()) images.prepare(section)
      else pages.expect(page)
    }
  }

  function slideIn(by: number): void {
    if (calm.matches || by === 0) return
    const from = (isRightToLeft(data.documentLanguage) ? -by : by) > 0 ? 28 : -28
    for (const section of main.querySelectorAll('.page.shown'))
      section.animate(
        [
          { opacity: 0.3, transform: `translateX(${from}px)` },
          { opacity: 1, transform: 'none' },
        ],
        {
          duration: 160,
          easing: 'ease-out',
        },
      )
  }

  async function goTo(wanted: number, { isQuiet = false } = {}): Promise<void> {
    const page = Math.min(Math.max(Math.round(wanted), 1), data.pageCount)
    const before = state.now.page
    try {
      await pages.bring(page)
    } catch {
      return announce(texts.loadFailed)
    }
    const first = isPaged() ? (pagesShown(page, state.now.view, data.pageCount, isHere)[0] ?? page) : page
    state.set({ page: first })
    ownScrollUntil = performance.now() + 150
    if (isPaged()) {
      layOut()
      main.scrollTo({ top: 0, left: 0, behavior: 'instant' })
      slideIn(Math.sign(first - before))
    } else scrollToPage(page, before)
    prepareNeighbours()
    if (!isQuiet) say()
  }

  function scrollToPage(page: number, before: number): void {
    const isStep = Math.abs(page - before) === 1 && !calm.matches
    pages.section(page)?.scrollIntoView({ behavior: isStep ? 'smooth' : 'instant', block: 'start' })
  }

  /** The page that is read while scrolling: the one a quarter down the screen, at the end the last. */
  function follow(): void {
    if (isPaged() || performance.now() < ownScrollUntil) return
    const sections = pages.sections()
    const line = innerHeight / 4
    let [low, high] = [0, sections.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (sections[middle].getBoundingClientRect().bottom > line) high = middle
      else low = middle + 1
    }
    const isAtEnd = root.scrollTop > 0 && root.scrollTop + innerHeight >= root.scrollHeight - 2
    const section = isAtEnd ? sections[sections.length - 1] : sections[low]
    if (section === undefined) return
    state.set({ page: pageOf(section) })
    if (pageOf(section) + 10 > pages.to) pages.expect(pages.to + 1)
  }

  let isWaiting = false
  addEventListener(
    'scroll',
    () => {
      if (isWaiting) return
      isWaiting = true
      requestAnimationFrame(() => {
        isWaiting = false
        follow()
      })
    },
    { passive: true },
  )
  pages.follow(layOut)

  return {
    goTo,
    shown,
    turn(by) {
      const target = pageBeside(isPaged() ? shown() : [state.now.page], by, data.pageCount)
      if (target !== undefined) void goTo(target)
    },
    setView(view) {
      if (view === state.now.view) return
      const { page } = state.now
      state.set({ view, zoom: 1 })
      fitWidth = 0
      layOut()
      void goTo(page, { isQuiet: true })
      announce(texts[view])
    },
    zoomTo(wanted, at) {
      const zoom = Math.min(Math.max(wanted, MIN_ZOOM[state.now.view]), MAX_ZOOM)
      // What is as good as fitting fits.
      const rounded = Math.abs(zoom - 1) < 0.03 ? 1 : zoom
      if (rounded === state.now.zoom) return
      if (state.now.zoom === 1) measuredFit()
      ownScrollUntil = performance.now() + 150
      withPointKept(main, scroller(), at, () => {
        state.set({ zoom: rounded })
        layOut()
      })
    },
    reveal(page, box) {
      const sheet = pages.section(page)?.querySelector('.sheet')?.getBoundingClientRect()
      if (sheet === undefined) return
      const place = main.getBoundingClientRect()
      const top = isPaged() ? place.top : 64
      const bottom = isPaged() ? place.bottom : innerHeight
      const x = sheet.left + (box.x + box.width / 2) * sheet.width
      const y = sheet.top + (box.y + box.height / 2) * sheet.height
      const isSeen = y > top + 40 && y < bottom - 40 && x > 20 && x < innerWidth - 20
      if (isSeen) return
      ownScrollUntil = performance.now() + 150
      scrollByAtOnce(scroller(), x < 20 || x > innerWidth - 20 ? x - innerWidth / 2 : 0, y - (top + bottom) / 2)
    },
    fit() {
      fitWidth = 0
      layOut()
    },
  }
}
