import { element } from '../ui/elements.ts'
import type { HitBox } from './find-on-page.ts'

/** Marks what was found on a page, and the hit that was gone to in another way. */
export function drawHits(section: HTMLElement, hits: readonly HitBox[][], current: number | undefined): void {
  section.querySelector('.hits')?.remove()
  if (hits.length === 0) return
  const layer = element('div', { class: 'hits', 'aria-hidden': 'true' })
  for (const [at, boxes] of hits.entries()) for (const box of boxes) layer.append(mark(box, at === current))
  section.querySelector('.links')?.before(layer)
}

function mark({ x, y, width, height }: HitBox, isCurrent: boolean): HTMLElement {
  const made = element('div', { class: isCurrent ? 'hit current' : 'hit' })
  made.style.left = `${x * 100}%`
  made.style.top = `${y * 100}%`
  made.style.width = `${width * 100}%`
  made.style.height = `${height * 100}%`
  return made
}
