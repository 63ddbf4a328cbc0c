import type { PanelContent, PanelName, ReaderStore } from '../document/reader-state.ts'
import { pageFromHash } from '../document/reading-position.ts'
import { element, iconButton, icons } from '../elements.ts'
import type { ReaderDeps } from '../pages/reader-deps.ts'
import type { ReaderTranslate } from '../texts.ts'
import { type Bookmarks, createBookmarkList } from './bookmarks.ts'

/** Opens and closes the panel beside the pages, which shows one content at a time. */
export function createPanel(
  contents: Record<PanelName, PanelContent>,
  store: ReaderStore,
  t: ReaderTranslate,
  onClose: (name: PanelName) => void,
): void {
  const root = document.documentElement
  const title = element('h2', { id: 'reader-panel-title' })
  const close = iconButton(t('close'), icons.close, () => {
    const name = store.current.panel
    store.set({ panel: undefined })
    if (name !== undefined) onClose(name)
  })
  const body = element('div', { class: 'panel-body' })
  const panel = element(
    'section',
    { class: 'reader-panel', 'aria-labelledby': 'reader-panel-title', hidden: true },
    element('header', {}, title, close),
    body,
  )
  document.getElementById('reader-bar')!.after(panel)
  body.append(...Object.values(contents).map(({ element: content }) => content))

  store.subscribe(({ panel: now }, { panel: before }) => {
    if (now === before) return
    panel.hidden = now === undefined
    if (now === undefined) {
      delete root.dataset.panel
      // The focus returns from the panel to the button that opened it.
      const opener = document.querySelector<HTMLElement>(`[data-panel-button="${before}"]`)
      if (document.activeElement === document.body || panel.contains(document.activeElement)) opener?.focus()
      return
    }
    root.dataset.panel = now
    title.textContent = { contents: t('contents'), thumbnails: t('thumbnails'), search: t('searchDocument') }[now]
    for (const [name, { element: content }] of Object.entries(contents)) content.hidden = name !== now
    void contents[now].open()
  })
}

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
