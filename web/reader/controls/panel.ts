import type { PanelContent, PanelName, ReaderStore } from '../document/reader-state.ts'
import { pageFromHash } from '../document/reading-position.ts'
import { element, iconButton, icons } from '../elements.ts'
import { boxOf } from '../pages/place.ts'
import type { ReaderDeps } from '../pages/reader-deps.ts'
import { onScrollInput } from '../pages/scroll-tracker.ts'
import { headingTops } from '../pages/words.ts'
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
 * Makes a panel of the reader's bookmarks and of the table of contents, with the entry being read marked, as it is in
 * the page's own list.
 */
export function createOutline(deps: ReaderDeps, bookmarks: Bookmarks): PanelContent {
  const lists = document.querySelector<HTMLElement>('nav.outline details > div')
  const nav = element('div', { class: 'panel-outline' })
  if (lists === null) nav.append(element('p', { class: 'hint' }, deps.t('noContents')))
  else nav.append(lists.cloneNode(true))
  const files = document.querySelector('.attachments')?.cloneNode(true) as HTMLDetailsElement | undefined
  files?.setAttribute('open', '')
  const entries = entriesOf(nav)
  if (entries.length > 0) markEntryBeingRead([nav, lists].filter((list) => list !== null).map(entriesOf), deps)
  const chapterOf = (page: number) =>
    (entries.find((entry) => entry.page === page) ?? entries.findLast((entry) => entry.page < page))?.link
      .textContent ?? undefined

  return {
    element: element('div', {}, createBookmarkList(bookmarks, chapterOf, deps), nav, files),
    open() {
      const current = nav.querySelector<HTMLElement>('[aria-current]') ?? nav.querySelector('a')
      current?.scrollIntoView({ block: 'center', behavior: 'instant' })
      current?.focus({ preventScroll: true })
    },
  }
}

type Entry = { link: HTMLAnchorElement; page: number }

function entriesOf(list: HTMLElement): Entry[] {
  return [...list.querySelectorAll('a')].flatMap((link) => {
    const page = pageFromHash(link.hash)
    return page === undefined ? [] : [{ link, page }]
  })
}

/**
 * Marks the entry whose heading is the last one above the middle of the screen, or the one that was chosen until the
 * reader scrolls.
 */
function markEntryBeingRead(lists: readonly Entry[][], deps: ReaderDeps): void {
  const { store, pages } = deps
  const entries = lists[0]
  const root = document.documentElement
  let headings: Heading[] = []
  let chosen: number | undefined
  let marked: number | undefined

  function mark(): void {
    const { page, isText } = store.current
    const section = pages.section(page)
    const { top = 0, height = 0 } = section === undefined ? {} : boxOf(section, isText)
    const isAtEnd = root.scrollTop > 0 && root.scrollTop + innerHeight >= root.scrollHeight - 2
    const line = isAtEnd ? innerHeight : innerHeight / 2
    const passed = headings.findLast(({ down }) => top + down * height <= line)?.at
    const before = entries.findLastIndex((entry) => entry.page < page)
    const current = chosen ?? passed ?? (before === -1 ? headings[0]?.at : before)
    if (current === marked) return
    for (const list of lists) {
      if (marked !== undefined) list[marked].link.removeAttribute('aria-current')
      if (current !== undefined) list[current].link.setAttribute('aria-current', 'location')
    }
    marked = current
  }

  for (const list of lists)
    for (const [at, { link }] of list.entries())
      link.addEventListener('click', () => {
        chosen = at
        mark()
      })
  onScrollInput(() => (chosen = undefined))
  document.addEventListener('scroll', mark, { passive: true, capture: true })
  store.subscribe(({ page, view }, before) => {
    const isChosenShown = [page, view === 'spread' ? page + 1 : page].includes(entries[chosen ?? 0].page)
    if (page !== before.page && !isChosenShown) chosen = undefined
    mark()
  })
  watchHeadings(entries, deps, (found) => {
    headings = found
    mark()
  })
}

/** A heading of the current page: its place in the list, and how far down the page it stands. */
type Heading = { at: number; down: number }

/** Pages passed faster than this are not searched for their headings. */
const SETTLED_MS = 200
/** Headings of a page that are searched for. */
const MAX_HEADINGS = 50

/**
 * Tells where the headings of the current page stand, now and once its words are loaded. A heading whose words are not
 * on its page, such as that of a scan, stands at the end of the page, or at its top if it is the first.
 */
function watchHeadings(
  entries: readonly Entry[],
  { store, wordsOf }: ReaderDeps,
  onFind: (headings: Heading[]) => void,
): void {
  let settling: ReturnType<typeof setTimeout> | undefined

  function find(): void {
    const { page } = store.current
    const here = [...entries.keys()].filter((at) => entries[at].page === page)
    const placed = (tops: readonly (number | undefined)[]) =>
      here.map((at, index) => ({ at, down: tops[index] ?? (index === 0 ? 0 : 1) }))
    onFind(placed([]))
    clearTimeout(settling)
    if (here.length === 0) return
    settling = setTimeout(async () => {
      const words = await wordsOf(page).catch(() => [])
      const titles = here.slice(0, MAX_HEADINGS).map((at) => entries[at].link.textContent)
      if (page === store.current.page) onFind(placed(headingTops(titles, words)))
    }, SETTLED_MS)
  }

  store.subscribe((now, before) => {
    if (now.page !== before.page) find()
  })
  find()
}
