import { storeText } from '../../ui/stored-text.ts'
import { element, iconButton, icons } from '../elements.ts'
import type { ReaderDeps } from '../pages/reader-deps.ts'

/** A page that the reader marked, with the label that is printed on it. */
type Bookmark = { page: number; label: string }

/** More than anybody finds again in a list, and little enough for any storage. */
const MAX_BOOKMARKS = 500

export type Bookmarks = ReturnType<typeof createBookmarks>

/** Keeps the bookmarks of a publication on this device; the server learns nothing of them. */
export function createBookmarks({ data: { slug, pageCount }, pages, store, announce, t }: ReaderDeps) {
  const key = `reader-bookmarks/${slug}`
  let current = read()
  const listeners: (() => void)[] = []

  /** Reads them anew each time, because another tab may have changed them. */
  function read(): Bookmark[] {
    try {
      const kept = JSON.parse(localStorage.getItem(key) ?? '[]') as Bookmark[]
      const isPage = (page: number) => Number.isSafeInteger(page) && page >= 1 && page <= pageCount
      // The document may have been longer when they were made.
      return kept.filter(({ page, label }) => isPage(page) && typeof label === 'string').slice(0, MAX_BOOKMARKS)
    } catch {
      // Without storage, they last until the page is left.
      return current ?? []
    }
  }

  function change(bookmarks: Bookmark[]): void {
    current = bookmarks.sort((a, b) => a.page - b.page).slice(0, MAX_BOOKMARKS)
    storeText(key, JSON.stringify(current))
    for (const listener of listeners) listener()
  }

  addEventListener('storage', (event) => {
    if (event.key !== key) return
    current = read()
    for (const listener of listeners) listener()
  })

  const remove = (page: number) => {
    const label = current.find((bookmark) => bookmark.page === page)?.label ?? page
    change(read().filter((bookmark) => bookmark.page !== page))
    announce(t('bookmarkRemoved', { page: label }))
  }
  const add = (page: number) => {
    const label = pages.label(page)
    change([...read().filter((bookmark) => bookmark.page !== page), { page, label }])
    announce(t('bookmarked', { page: label }))
  }

  return {
    list: (): readonly Bookmark[] => current,
    has: (page: number) => current.some((bookmark) => bookmark.page === page),
    remove,
    /** Bookmarks the current page, or takes its bookmark away. */
    toggle(): void {
      const { page } = store.current
      if (current.some((bookmark) => bookmark.page === page)) remove(page)
      else add(page)
    },
    subscribe: (listener: () => void) => void listeners.push(listener),
  }
}

/** Makes the list of bookmarks; `chapterOf` names the part of the document that a page is in. */
export function createBookmarkList(
  bookmarks: Bookmarks,
  chapterOf: (page: number) => string | undefined,
  { t }: ReaderDeps,
): HTMLElement {
  const list = element('ul')
  const title = element('h3', { id: 'reader-bookmarks', tabindex: '-1' }, t('bookmarks'))
  const box = element('section', { class: 'bookmarks', 'aria-labelledby': 'reader-bookmarks' }, title, list)

  const row = ({ page, label }: Bookmark) => {
    const chapter = chapterOf(page)
    const where = chapter === undefined ? undefined : element('span', { class: 'chapter', dir: 'auto' }, chapter)
    const remove = iconButton(t('removeBookmark', { page: label }), icons.close, () => {
      const at = bookmarks.list().findIndex((bookmark) => bookmark.page === page)
      bookmarks.remove(page)
      // The focus goes on with the element in the place of the button.
      const others = list.querySelectorAll('button')
      ;(others[Math.min(at, others.length - 1)] ?? title).focus()
    })
    return element('li', {}, element('a', { href: `#page-${page}` }, t('pageNumber', { page: label }), where), remove)
  }
  const show = () => {
    list.replaceChildren(...bookmarks.list().map(row))
    if (bookmarks.list().length === 0) list.append(element('li', { class: 'hint' }, t('noBookmarks')))
  }
  bookmarks.subscribe(show)
  show()
  return box
}
