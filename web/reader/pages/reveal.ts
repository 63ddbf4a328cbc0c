import type { Box } from '../document/page-words.ts'
import { scrollInstantly } from './scroll-anchor.ts'

/** Anything closer to an edge counts as hidden. */
const EDGE_PX = { x: 20, y: 40 }

/** Scrolls a part of a sheet into view between the edges, if it is not there already. */
export function revealBox(
  sheet: DOMRect,
  box: Box,
  edges: { top: number; bottom: number },
  scroller: Element,
  onScroll: () => void,
): void {
  const x = sheet.left + (box.x + box.width / 2) * sheet.width
  const y = sheet.top + (box.y + box.height / 2) * sheet.height
  const isAcross = x > EDGE_PX.x && x < innerWidth - EDGE_PX.x
  if (isAcross && y > edges.top + EDGE_PX.y && y < edges.bottom - EDGE_PX.y) return
  onScroll()
  scrollInstantly(scroller, isAcross ? 0 : x - innerWidth / 2, y - (edges.top + edges.bottom) / 2)
}
