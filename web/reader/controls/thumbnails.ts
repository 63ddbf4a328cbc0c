import type { PageSummary } from '../document/loaded-pages.ts'
import { element, icon, icons } from '../elements.ts'
import type { ReaderDeps } from '../pages/reader-deps.ts'
import type { ReaderTranslate } from '../texts.ts'
import type { Bookmarks } from './bookmarks.ts'

type Thumbnails = {
  element: HTMLElement
  /** Scrolls to the current page and focuses it. */
  open(): Promise<void>
}

/** Makes the panel of thumbnails, one for each page of the document. */
export function createThumbnails(
  listPages: () => Promise<PageSummary[]>,
  bookmarks: Bookmarks,
  { store, t }: ReaderDeps,
): Thumbnails {
  let pages: PageSummary[] = []
  const grid = new ThumbnailGrid(t('thumbnails'), (index) => {
    const cell = createCell(pages, index, store.current.page)
    markBookmark(cell, pages[index], bookmarks, t)
    return cell
  })
  bookmarks.subscribe(() => {
    for (const [index, cell] of grid.cells) markBookmark(cell, pages[index], bookmarks, t)
  })

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

/** Marks a page that has a bookmark, for eyes and screen readers, and takes the mark from one that has none. */
function markBookmark(cell: HTMLElement, { page, label }: PageSummary, bookmarks: Bookmarks, t: ReaderTranslate): void {
  const isMarked = bookmarks.has(page)
  cell.classList.toggle('bookmarked', isMarked)
  cell.firstElementChild!.setAttribute('aria-label', t(isMarked ? 'bookmarkedPage' : 'pageNumber', { page: label }))
}

function createCell(pages: readonly PageSummary[], index: number, current: number): HTMLElement {
  const { page, label, thumbnail } = pages[index]
  const image = element('img', { src: thumbnail, alt: '', decoding: 'async' })
  const link = element(
    'a',
    { href: `#page-${page}`, 'aria-current': page === current && 'page' },
    element('span', { class: 'thumbnail' }, image, icon(icons.bookmark)),
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

const CELL_WIDTH_PX = 128
const CELL_HEIGHT_PX = 196
/** Rows rendered above and below the visible ones. */
const OVERSCAN_ROWS = 1

/** A scrolling grid of links; only the visible cells are in the page, however many there are. */
class ThumbnailGrid {
  readonly element: HTMLElement
  readonly #list: HTMLElement
  readonly #createCell: (index: number) => HTMLElement
  readonly #cells = new Map<number, HTMLElement>()
  #cellCount = 0
  #columns = 1

  /** `createCell` makes a cell with a link, by its index from 0. */
  constructor(label: string, createCell: (index: number) => HTMLElement) {
    this.#createCell = createCell
    this.#list = element('div', { role: 'list', class: 'thumbnails-list', 'aria-label': label })
    this.element = element('div', { class: 'thumbnails' }, this.#list)
    this.element.addEventListener('scroll', () => this.#draw(), { passive: true })
    new ResizeObserver(() => this.#draw()).observe(this.element)
    this.#list.addEventListener('keydown', (event) => this.#handleKey(event))
  }

  /** The cells in the page, by index. */
  get cells(): ReadonlyMap<number, HTMLElement> {
    return this.#cells
  }

  /** Draws the grid with this number of cells. */
  fill(cellCount: number): void {
    this.#cellCount = cellCount
    this.#draw()
  }

  /** Scrolls as little as it takes to show a cell. Does nothing while the grid is hidden. */
  scrollTo(index: number): void {
    const { clientWidth, clientHeight, scrollTop } = this.element
    if (clientWidth === 0) return
    const top = this.#topOf(index)
    if (top < scrollTop) this.element.scrollTop = top
    else if (top + CELL_HEIGHT_PX > scrollTop + clientHeight)
      this.element.scrollTop = top + CELL_HEIGHT_PX - clientHeight
    this.#draw()
  }

  /** Scrolls a cell to the middle and focuses its link. */
  focusInMiddle(index: number): void {
    const middle = this.#topOf(index) + CELL_HEIGHT_PX / 2
    this.element.scrollTop = Math.max(0, middle - this.element.clientHeight / 2)
    this.#draw()
    this.#focus(index)
  }

  #topOf(index: number): number {
    return Math.floor(index / this.#columns) * CELL_HEIGHT_PX
  }

  #focus(index: number): void {
    this.#cells.get(index)?.querySelector('a')?.focus({ preventScroll: true })
  }

  #draw(): void {
    const width = this.#list.clientWidth
    if (width === 0 || this.#cellCount === 0) return
    this.#columns = Math.max(1, Math.floor(width / CELL_WIDTH_PX))
    this.#list.style.height = `${Math.ceil(this.#cellCount / this.#columns) * CELL_HEIGHT_PX}px`
    const { scrollTop, clientHeight } = this.element
    const firstRow = Math.floor(scrollTop / CELL_HEIGHT_PX) - OVERSCAN_ROWS
    const lastRow = Math.ceil((scrollTop + clientHeight) / CELL_HEIGHT_PX) + OVERSCAN_ROWS
    const first = Math.max(firstRow * this.#columns, 0)
    const last = Math.min(lastRow * this.#columns, this.#cellCount) - 1
    this.#removeOutside(first, last)
    for (let index = first; index <= last; index++) this.#positionCell(index, width / this.#columns)
  }

  /** Removes the cells outside a range, except the focused one. */
  #removeOutside(first: number, last: number): void {
    for (const [index, cell] of this.#cells) {
      if ((index >= first && index <= last) || cell.contains(document.activeElement)) continue
      cell.remove()
      this.#cells.delete(index)
    }
  }

  #positionCell(index: number, widthPx: number): void {
    const cell = this.#cells.get(index) ?? this.#addCell(index)
    cell.style.width = `${widthPx}px`
    cell.style.transform = `translate(${(index % this.#columns) * widthPx}px, ${this.#topOf(index)}px)`
  }

  #addCell(index: number): HTMLElement {
    const cell = this.#createCell(index)
    this.#cells.set(index, cell)
    // In page order, which is the tab order.
    const following = [...this.#cells.keys()].filter((key) => key > index).sort((a, b) => a - b)[0]
    this.#list.insertBefore(cell, following === undefined ? null : this.#cells.get(following)!)
    return cell
  }

  #handleKey(event: KeyboardEvent): void {
    const index = [...this.#cells].find(([, cell]) => cell.contains(document.activeElement))?.[0]
    const columns = this.#columns
    const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }
    const step = steps[event.key]
    if (index === undefined || step === undefined) return
    event.preventDefault()
    const target = Math.min(Math.max(index + step, 0), this.#cellCount - 1)
    this.scrollTo(target)
    this.#focus(target)
  }
}
