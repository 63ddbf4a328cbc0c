import type { PageSummary } from '../document/page-list.ts'
import type { ReaderStore } from '../state/reader-store.ts'
import { element } from '../ui/elements.ts'
import type { ReaderTexts } from '../ui/texts.ts'
import { ThumbnailGrid } from './thumbnail-grid.ts'

type Thumbnails = {
  element: HTMLElement
  /** Scrolls to the current page and focuses it. */
  open(): Promise<void>
}

/** Makes the panel of thumbnails, one for each page of the document. */
export function createThumbnails(
  listPages: () => Promise<PageSummary[]>,
  store: ReaderStore,
  texts: ReaderTexts,
): Thumbnails {
  let pages: PageSummary[] = []
  const grid = new ThumbnailGrid(texts.thumbnails, (index) => createCell(pages, index, store.current.page, texts))

  store.subscribe(({ page }, before) => {
    if (page === before.page) return
    for (const [index, cell] of grid.cells) markCurrent(cell, pages[index].page === page)
    grid.scrollTo(page - 1)
  })

  return {
    element: grid.element,
    async open() {
      if (pages.length === 0) pages = await listPages()
      grid.fill(pages.length)
      grid.focusInMiddle(store.current.page - 1)
    },
  }
}

function createCell(pages: readonly PageSummary[], index: number, current: number, texts: ReaderTexts): HTMLElement {
  const { page, label, thumbnail } = pages[index]
  const image = element('img', { src: thumbnail, alt: '', decoding: 'async' })
  const link = element(
    'a',
    { href: `#page-${page}`, 'aria-label': texts.pageNumber(page), 'aria-current': page === current && 'page' },
    element('span', { class: 'thumbnail' }, image),
    element('span', { class: 'thumbnail-label', 'aria-hidden': 'true' }, label),
  )
  return element(
    'div',
    { role: 'listitem', class: 'thumbnail-cell', 'aria-posinset': index + 1, 'aria-setsize': pages.length },
    link,
  )
}

function markCurrent(cell: HTMLElement, isCurrent: boolean): void {
  const link = cell.firstElementChild!
  if (isCurrent) link.setAttribute('aria-current', 'page')
  else link.removeAttribute('aria-current')
}
