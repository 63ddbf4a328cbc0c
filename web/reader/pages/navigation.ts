import { focusPage } from '../document/loaded-pages.ts'
import type { View } from '../document/reader-state.ts'
import { asFailure } from '../document/request-failure.ts'
import { failureText, showToast } from '../messages.ts'
import { noticeText } from './failed-images.ts'
import type { LoadedImages } from './loaded-images.ts'
import { adjacentPage, offeredView, type PageLayout } from './page-layout.ts'
import type { ReaderDeps } from './reader-deps.ts'
import type { ScrollTracker } from './scroll-tracker.ts'

/** A reader with the layout of its pages. */
export type ViewerDeps = ReaderDeps & { images: LoadedImages; layout: PageLayout; scrollTracker: ScrollTracker }

/** Moves between pages and views, and announces where the reader is. */
export function createNavigation(deps: ViewerDeps) {
  const { data, t, pages, layout, scrollTracker, store, announce } = deps
  const { pageCount } = data

  async function goTo(
    wanted: number,
    { isQuiet = false, isSwiped = false, isAtEnd = false, isOpening = false } = {},
  ): Promise<void> {
    const page = Math.min(Math.max(Math.round(wanted), 1), pageCount)
    const before = store.current.page
    try {
      await pages.load(page)
    } catch (error) {
      const reason = `${t('loadFailed')} ${failureText(asFailure(error), t)}`
      showToast(reason, t('tryAgain'), () => void goTo(wanted))
      return announce(reason)
    }
    store.set({ page: layout.isPaged() ? (layout.shownWith(page)[0] ?? page) : page })
    scrollTracker.ignoreOwnScroll()
    if (layout.isPaged()) turnTo(isSwiped ? 0 : store.current.page - before, isAtEnd, deps)
    else scrollToPage(pages.section(page), isOpening ? 0 : page - before)
    void prepareNeighbours(deps)
    if (!isQuiet) announce(describePosition(deps))
  }

  return {
    goTo,
    /** Moves the focus to the page being read, so that keys and screen readers go on from there. */
    focusPage(): void {
      const section = pages.section(store.current.page)
      if (section !== undefined) focusPage(section)
    },
    /** `isSwiped` if the pages have moved with a finger already, `isAtEnd` to read the page from its end. */
    turn(by: 1 | -1, how: { isSwiped?: boolean; isAtEnd?: boolean } = {}): void {
      const target = adjacentPage(layout.isPaged() ? layout.shown() : [store.current.page], by, pageCount)
      if (target !== undefined) void goTo(target, how)
    },
    setView(wanted: View): void {
      const view = offeredView(wanted)
      if (view === store.current.view) return
      const { page } = store.current
      store.set({ view, zoom: 1 })
      layout.refit()
      void goTo(page, { isQuiet: true })
      announce(t(view))
    },
  }
}

/** Shows the current page from its top, or from its end, sliding in from the side it lies on. */
function turnTo(by: number, isAtEnd: boolean, { isRightToLeft, main, layout }: ViewerDeps): void {
  layout.layOut()
  main.scrollTo({ top: isAtEnd ? main.scrollHeight : 0, left: 0, behavior: 'instant' })
  if (by === 0) return
  const isFromRight = by > 0 !== isRightToLeft
  slideIn(main.querySelectorAll<HTMLElement>('.page.shown'), isFromRight ? 'right' : 'left')
}

/** Describes the pages on the screen: `Page 4 of 12`, or by the label that is printed on it: `Page iv`. */
function describePosition({ data: { pageCount }, t, pages, layout, store }: ViewerDeps): string {
  const [first, second] = layout.isPaged() ? layout.shown() : [store.current.page]
  if (second !== undefined) return t('pagesOf', { first, last: second, count: pageCount })
  const label = pages.label(first)
  const isNumber = label === String(first)
  const position = isNumber ? t('pageOf', { label, count: pageCount }) : t('pageNumber', { page: label })
  const notice = noticeText(pages.section(first))
  return notice === '' ? position : `${position}. ${notice}`
}

/** Loads the pages before and after in advance, once the current ones have loaded. */
async function prepareNeighbours({ data, layout, pages, images }: ViewerDeps): Promise<void> {
  const shown = layout.shown()
  const neighbours = ([1, -1] as const)
    .map((by) => adjacentPage(shown, by, data.pageCount))
    .filter((page) => page !== undefined)
  for (const page of neighbours) pages.prefetch(page)
  if (!layout.isPaged()) return
  await images.loaded(shown.flatMap((page) => pages.section(page) ?? []))
  if (!layout.isPaged() || layout.shown()[0] !== shown[0]) return
  const preload = (section: HTMLElement, width: number) => images.preload(section, layout.imageWidth(section, width))
  for (const neighbour of neighbours)
    for (const [page, width] of layout.widths(layout.shownWith(neighbour))) preload(pages.section(page)!, width)
}

/** Distance a page slides when it is turned. */
const SLIDE_PX = 28

/** The reader's wish for less motion. */
export const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)')

/** Scrolls to the start of a page, smoothly if it is the next or the previous one. */
function scrollToPage(section: HTMLElement | undefined, by: number): void {
  const isStep = Math.abs(by) === 1 && !reducedMotion.matches
  section?.scrollIntoView({ behavior: isStep ? 'smooth' : 'instant', block: 'start' })
}

/** Slides in pages that have just been turned to, unless the reader prefers less motion. */
function slideIn(sections: Iterable<HTMLElement>, side: 'left' | 'right'): void {
  if (reducedMotion.matches) return
  const from = side === 'right' ? SLIDE_PX : -SLIDE_PX
  const keyframes = [
    { opacity: 0.3, transform: `translateX(${from}px)` },
    { opacity: 1, transform: 'none' },
  ]
  for (const section of sections) section.animate(keyframes, { duration: 160, easing: 'ease-out' })
}
