import type { PageSummary } from '../pages/page-list.ts'
import type { ReaderStore } from '../state/reader-store.ts'
import { element } from '../ui/elements.ts'
import type { ReaderTexts } from '../ui/texts.ts'

const CELL_WIDTH_PX = 128
const CELL_HEIGHT_PX = 196
/** Rows rendered above and below the visible ones. */
const OVERSCAN_ROWS = 1

export type Thumbnails = {
  element: HTMLElement
  /** Scrolls to the current page and focuses it. */
  open(): Promise<void>
}

/** Makes the panel of thumbnails; only the visible ones are in the page, however many there are. */
export function createThumbnails(
  listPages: () => Promise<PageSummary[]>,
  store: ReaderStore,
  texts: ReaderTexts,
): Thumbnails {
  const list = element('div', { role: 'list', class: 'thumbnails-list', 'aria-label': texts.thumbnails })
  const box = element('div', { class: 'thumbnails' }, list)
  const cells = new Map<number, HTMLElement>()
  let pages: PageSummary[] = []
  let columns = 1

  function draw(): void {
    const width = list.clientWidth
    if (width === 0 || pages.length === 0) return
    columns = Math.max(1, Math.floor(width / CELL_WIDTH_PX))
    list.style.height = `${Math.ceil(pages.length / columns) * CELL_HEIGHT_PX}px`
    const firstRow = Math.floor(box.scrollTop / CELL_HEIGHT_PX) - OVERSCAN_ROWS
    const lastRow = Math.ceil((box.scrollTop + box.clientHeight) / CELL_HEIGHT_PX) + OVERSCAN_ROWS
    const first = Math.max(firstRow * columns, 0)
    const last = Math.min(lastRow * columns, pages.length) - 1
    for (const [at, cell] of cells)
      if ((at < first || at > last) && !cell.contains(document.activeElement)) {
        cell.remove()
        cells.delete(at)
      }
    for (let at = first; at <= last; at++) positionCell(cellAt(at), at, width)
  }

  function positionCell(cell: HTMLElement, at: number, width: number): void {
    cell.style.width = `${width / columns}px`
    cell.style.transform = `translate(${((at % columns) * width) / columns}px, ${Math.floor(at / columns) * CELL_HEIGHT_PX}px)`
  }

  function cellAt(at: number): HTMLElement {
    const existing = cells.get(at)
    if (existing !== undefined) return existing
    const { page, label, thumbnail } = pages[at]
    const image = element('img', { src: thumbnail, alt: '', decoding: 'async' })
    const link = element(
      'a',
      {
        href: `#page-${page}`,
        'aria-label': texts.pageNumber(page),
        'aria-current': page === store.current.page && 'page',
      },
      element('span', { class: 'thumbnail' }, image),
      element('span', { class: 'thumbnail-label', 'aria-hidden': 'true' }, label),
    )
    const cell = element(
      'div',
      { role: 'listitem', class: 'thumbnail-cell', 'aria-posinset': at + 1, 'aria-setsize': pages.length },
      link,
    )
    cells.set(at, cell)
    // In page order, which is the tab order.
    const following = [...cells.keys()].filter((key) => key > at).sort((a, b) => a - b)[0]
    list.insertBefore(cell, following === undefined ? null : cells.get(following)!)
    return cell
  }

  function scrollToCell(at: number): void {
    const top = Math.floor(at / columns) * CELL_HEIGHT_PX
    if (top < box.scrollTop) box.scrollTop = top
    else if (top + CELL_HEIGHT_PX > box.scrollTop + box.clientHeight)
      box.scrollTop = top + CELL_HEIGHT_PX - box.clientHeight
    draw()
  }

  box.addEventListener('scroll', draw, { passive: true })
  new ResizeObserver(draw).observe(box)
  store.subscribe(({ page }, before) => {
    if (page === before.page) return
    for (const [at, cell] of cells) {
      if (pages[at].page === page) cell.firstElementChild!.setAttribute('aria-current', 'page')
      else cell.firstElementChild!.removeAttribute('aria-current')
    }
    if (box.clientWidth > 0) scrollToCell(page - 1)
  })
  list.addEventListener('keydown', (event) => {
    const at = [...cells].find(([, cell]) => cell.contains(document.activeElement))?.[0]
    const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }
    const step = steps[event.key]
    if (at === undefined || step === undefined) return
    event.preventDefault()
    const to = Math.min(Math.max(at + step, 0), pages.length - 1)
    scrollToCell(to)
    cells.get(to)?.querySelector('a')?.focus({ preventScroll: true })
  })

  return {
    element: box,
    async open() {
      if (pages.length === 0) pages = await listPages()
      draw()
      const at = store.current.page - 1
      box.scrollTop = Math.max(0, Math.floor(at / columns) * CELL_HEIGHT_PX - box.clientHeight / 2 + CELL_HEIGHT_PX / 2)
      draw()
      cells.get(at)?.querySelector('a')?.focus({ preventScroll: true })
    },
  }
}
