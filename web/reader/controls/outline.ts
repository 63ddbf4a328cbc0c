import { pageFromHash } from '../document/reading-position.ts'
import { element } from '../elements.ts'
import type { ReaderDeps } from '../pages/reader-deps.ts'
import type { PanelContent } from '../panel.ts'
import { type Bookmarks, createBookmarkList } from './bookmarks.ts'

/**
 * Makes a panel of the reader's bookmarks and of the table of contents, with the current entry marked, as it is in the
 * page's own list.
 */
export function createOutline(deps: ReaderDeps, bookmarks: Bookmarks): PanelContent {
  const { store, t } = deps
  const lists = document.querySelector<HTMLElement>('nav.outline details > div')
  const nav = element('div', { class: 'panel-outline' })
  if (lists === null) nav.append(element('p', { class: 'hint' }, t('noContents')))
  else nav.append(lists.cloneNode(true))
  const files = document.querySelector('.attachments')?.cloneNode(true) as HTMLDetailsElement | undefined
  files?.setAttribute('open', '')
  const entries = [nav, lists].filter((list) => list !== null).map(entriesOf)

  const mark = () => {
    for (const list of entries) {
      const current = list.findLast(({ page }) => page <= store.current.page)
      for (const { link } of list) {
        if (link === current?.link) link.setAttribute('aria-current', 'location')
        else link.removeAttribute('aria-current')
      }
    }
  }
  store.subscribe((now, before) => {
    if (now.page !== before.page) mark()
  })
  mark()
  const chapterOf = (page: number) => entries[0].findLast((entry) => entry.page <= page)?.link.textContent ?? undefined

  return {
    element: element('div', {}, createBookmarkList(bookmarks, chapterOf, deps), nav, files),
    open() {
      const current = nav.querySelector<HTMLElement>('[aria-current]') ?? nav.querySelector('a')
      current?.scrollIntoView({ block: 'center', behavior: 'instant' })
      current?.focus({ preventScroll: true })
    },
  }
}

function entriesOf(list: HTMLElement): { link: HTMLAnchorElement; page: number }[] {
  return [...list.querySelectorAll('a')].flatMap((link) => {
    const page = pageFromHash(link.hash)
    return page === undefined ? [] : [{ link, page }]
  })
}
