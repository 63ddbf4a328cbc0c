import { focusPage } from '../document/focus-page.ts'
import { type LoadedPages, labelOf } from '../document/loaded-pages.ts'
import type { LoadedImages } from '../images/loaded-images.ts'
import { noticeText } from '../images/page-notice.ts'
import { asFailure } from '../requests/request-failure.ts'
import type { ReaderData } from '../state/reader-data.ts'
import type { ReaderStore, View } from '../state/reader-store.ts'
import type { Announcer } from '../ui/announcer.ts'
import { failureText } from '../ui/failure-text.ts'
import type { ReaderTexts } from '../ui/texts.ts'
import { showToast } from '../ui/toast.ts'
import type { PageLayout } from './page-layout.ts'
import { scrollToPage, slideIn } from './page-motion.ts'
import { prepareNeighbours } from './prepare-neighbours.ts'
import type { ScrollTracker } from './scroll-tracker.ts'
import { adjacentPage, isRightToLeft } from './spreads.ts'

export type Navigation = {
  goTo(page: number, how?: { isQuiet?: boolean }): Promise<void>
  /** Moves the focus to the page being read, so that keys and screen readers go on from there. */
  focusPage(): void
  turn(by: 1 | -1): void
  setView(view: View): void
}

type Deps = {
  data: ReaderData
  texts: ReaderTexts
  main: HTMLElement
  pages: LoadedPages
  images: LoadedImages
  layout: PageLayout
  scrollTracker: ScrollTracker
  store: ReaderStore
  announce: Announcer
}

/** Moves between pages and views, and announces where the reader is. */
export function createNavigation(deps: Deps): Navigation {
  const { data, texts, pages, images, layout, scrollTracker, store, announce } = deps
  const { pageCount } = data

  async function goTo(wanted: number, { isQuiet = false } = {}): Promise<void> {
    const page = Math.min(Math.max(Math.round(wanted), 1), pageCount)
    const before = store.current.page
    try {
      await pages.load(page)
    } catch (error) {
      const reason = `${texts.loadFailed} ${failureText(asFailure(error), texts)}`
      showToast(reason, texts.tryAgain, () => void goTo(wanted))
      return announce(reason)
    }
    store.set({ page: layout.isPaged() ? (layout.shownWith(page)[0] ?? page) : page })
    scrollTracker.ignoreOwnScroll()
    if (layout.isPaged()) turnTo(store.current.page - before, deps)
    else scrollToPage(pages.section(page), page - before)
    void prepareNeighbours({ pageCount, layout, pages, images })
    if (!isQuiet) announce(describePosition(deps))
  }

  return {
    goTo,
    focusPage() {
      const section = pages.section(store.current.page)
      if (section !== undefined) focusPage(section)
    },
    turn(by) {
      const target = adjacentPage(layout.isPaged() ? layout.shown() : [store.current.page], by, pageCount)
      if (target !== undefined) void goTo(target)
    },
    setView(view) {
      if (view === store.current.view) return
      const { page } = store.current
      store.set({ view, zoom: 1 })
      layout.refit()
      void goTo(page, { isQuiet: true })
      announce(texts[view])
    },
  }
}

/** Shows the current page from its top, sliding in from the side it lies on. */
function turnTo(by: number, { data, main, layout }: Deps): void {
  layout.layOut()
  main.scrollTo({ top: 0, left: 0, behavior: 'instant' })
  if (by === 0) return
  const isFromRight = by > 0 !== isRightToLeft(data.documentLanguage)
  slideIn(main.querySelectorAll<HTMLElement>('.page.shown'), isFromRight ? 'right' : 'left')
}

/** Describes the pages on the screen: `Page 4 of 12`. */
function describePosition({ data: { pageCount }, texts, pages, layout, store }: Deps): string {
  const [first, second] = layout.isPaged() ? layout.shown() : [store.current.page]
  if (second !== undefined) return texts.pagesOf(first, second, pageCount)
  const section = pages.section(first)
  const position = texts.pageOf(section ? labelOf(section) : String(first), pageCount)
  const notice = noticeText(section)
  return notice === '' ? position : `${position}. ${notice}`
}
