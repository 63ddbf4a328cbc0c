import type { CataloguedPage } from '../pages/page-list.ts'
import type { ReadingState } from '../state/reader-state.ts'
import { element } from '../ui/elements.ts'
import type { ReaderTexts } from '../ui/texts.ts'

const CELL_WIDTH_PX = 128
const CELL_HEIGHT_PX = 196
/** Rows that are made before they are seen, and after. */
const SPARE_ROWS = 1

export type Thumbnails = {
  element: HTMLElement
  /** Shows where somebody is, once it can be seen. */
  open(): Promise<void>
}

/** Small images of all pages; only those are made that can be seen, however many there are. */
export function createThumbnails(
  catalogue: () => Promise<CataloguedPage[]>,
  state: ReadingState,
  texts: ReaderTexts,
): Thumbnails {
  const list = element('div', { role: 'list', class: 'thumbnails-list', 'aria-label': texts.thumbnailsLong })
  const box = element('div', { class: 'thumbnails' }, list)
  const cells = new Map<number, HTMLElement>()
  let all: CataloguedPage[] = []
  let columns = 1

  function draw(): void {
    const width = list.clientWidth
    if (width === 0 || all.length === 0) return
    columns = Math.max(1, Math.floor(width / CELL_WIDTH_PX))
    list.style.height = `${Math.ceil(all.length / columns) * CELL_HEIGHT_PX}px`
    const firstRow = Math.floor(box.scrollTop / CELL_HEIGHT_PX) - SPARE_ROWS
    const lastRow = Math.ceil((box.scrollTop + box.clientHeight) / CELL_HEIGHT_PX) + SPARE_ROWS
    const first = Math.max(firstRow * columns, 0)
    const last = Math.min(lastRow * columns, all.length) - 1
    for (const [at, cell] of cells)
      if ((at < first || at > last) && !cell.contains(document.activeElement)) {
        cell.remove()
        cells.delete(at)
      }
    for (let at = first; at <= last; at++) place(cellAt(at), at, width)
  }

  function place(cell: HTMLElement, at: number, width: number): void {
    cell.style.width = `${width / columns}px`
    cell.style.transform = `translate(${((at % columns) * width) / columns}px, ${Math.floor(at / columns) * CELL_HEIGHT_PX}px)`
  }

  function cellAt(at: number): HTMLElement {
    const known = cells.get(at)
    if (known !== undefined) return known
    const { page, label, thumbnail } = all[at]
    const image = element('img', { src: thumbnail, alt: '', decoding: 'async' })
    const link = element(
      'a',
      {
        href: `#page-${page}`,
        'aria-label': texts.pageNumber(page),
        'aria-current': page === state.now.page && 'page',
      },
      element('span', { class: 'thumbnail' }, image),
      element('span', { class: 'thumbnail-label', 'aria-hidden': 'true' }, label),
    )
    const cell = element(
      'div',
      { role: 'listitem', class: 'thumbnail-cell', 'aria-posinset': at + 1, 'aria-setsize': all.length },
      link,
    )
    cells.set(at, cell)
    // In the order of the pages, which is the order of the tabulator.
    const following = [...cells.keys()].filter((key) => key > at).sort((a, b) => a - b)[0]
    list.insertBefore(cell, following === undefined ? null : cells.get(following)!)
    return cell
  }

  function bringIntoSight(at: number): void {
    const top = Math.floor(at / columns) * CELL_HEIGHT_PX
    if (top < box.scrollTop) box.scrollTop = top
    else if (top + CELL_HEIGHT_PX > box.scrollTop + box.clientHeight)
      box.scrollTop = top + CELL_HEIGHT_PX - box.clientHeight
    draw()
  }

  box.addEventListener('scroll', draw, { passive: true })
  new ResizeObserver(draw).observe(box)
  state.follow(({ page }, before) => {
    if (page === before.page) return
    for (const [at, cell] of cells) {
      if (all[at].page === page) cell.firstElementChild!.setAttribute('aria-current', 'page')
      else cell.firstElementChild!.removeAttribute('aria-current')
    }
    if (box.clientWidth > 0) bringIntoSight(page - 1)
  })
  list.addEventListener('keydown', (event) => {
    const at = [...cells].find(([, cell]) => cell.contains(document.activeElement))?.[0]
    const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }
    const step = steps[event.key]
    if (at === undefined || step === undefined) return
    event.preventDefault()
    const to = Math.min(Math.max(at + step, 0), all.length - 1)
    bringIntoSight(to)
    cells.get(to)?.querySelector('a')?.focus({ preventScroll: true })
  })

  return {
    element: box,
    async open() {
      if (all.length === 0) all = await catalogue()
      draw()
      const at = state.now.page - 1
      box.scrollTop = Math.max(0, Math.floor(at / columns) * CELL_HEIGHT_PX - box.clientHeight / 2 + CELL_HEIGHT_PX / 2)
      draw()
      cells.get(at)?.querySelector('a')?.focus({ preventScroll: true })
    },
  }
}
