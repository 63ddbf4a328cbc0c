import type { Box } from '../document/page-words.ts'
import { element } from '../ui/elements.ts'

/** Marks the hits on a page, the current one in a different colour. */
export function drawHits(section: HTMLElement, hits: readonly Box[][], current: number | undefined): void {
  section.querySelector('.hits')?.remove()
  if (hits.length === 0) return
  const layer = element('div', { class: 'hits', 'aria-hidden': 'true' })
  for (const [at, boxes] of hits.entries()) for (const box of boxes) layer.append(mark(box, at === current))
  section.querySelector('.links')?.before(layer)
}

function mark({ x, y, width, height }: Box, isCurrent: boolean): HTMLElement {
  const made = element('div', { class: isCurrent ? 'hit current' : 'hit' })
  made.style.left = `${x * 100}%`
  made.style.top = `${y * 100}%`
  made.style.width = `${width * 100}%`
  made.style.height = `${height * 100}%`
  return made
}
