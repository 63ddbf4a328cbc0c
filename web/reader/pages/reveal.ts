import type { HitBox } from '../search/find-on-page.ts'
import { scrollByAtOnce } from './scroll-anchor.ts'

/** What stands this close to an edge is not seen well. */
const EDGE_PX = { x: 20, y: 40 }

/** Scrolls as far as it takes to see a part of a sheet between the edges; not at all where it is seen already. */
export function revealBox(
  sheet: DOMRect,
  box: HitBox,
  edges: { top: number; bottom: number },
  scroller: Element,
  onScroll: () => void,
): void {
  const x = sheet.left + (box.x + box.width / 2) * sheet.width
  const y = sheet.top + (box.y + box.height / 2) * sheet.height
  const isAcross = x > EDGE_PX.x && x < innerWidth - EDGE_PX.x
  if (isAcross && y > edges.top + EDGE_PX.y && y < edges.bottom - EDGE_PX.y) return
  onScroll()
  scrollByAtOnce(scroller, isAcross ? 0 : x - innerWidth / 2, y - (edges.top + edges.bottom) / 2)
}
