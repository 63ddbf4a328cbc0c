/** A point on the screen, in CSS pixels. */
export type Point = { x: number; y: number }

/** Resizes pages and scrolls so that the content at a point of the screen stays there. */
export function withScrollAnchor(
  main: HTMLElement,
  scroller: Element,
  at: Point | undefined,
  change: () => void,
): void {
  const point = at ?? centreOf(main)
  const sheet = sheetAt(main, point)
  const before = sheet?.getBoundingClientRect()
  change()
  const after = sheet?.getBoundingClientRect()
  if (before === undefined || after === undefined || before.width === 0) return
  const x = after.left + ((point.x - before.left) / before.width) * after.width
  const y = after.top + ((point.y - before.top) / before.height) * after.height
  scrollInstantly(scroller, x - point.x, y - point.y)
}

/** Scrolls without animation, whatever the stylesheet says. */
export function scrollInstantly(scroller: Element, left: number, top: number): void {
  scroller.scrollBy({ left, top, behavior: 'instant' })
}

function centreOf(main: HTMLElement): Point {
  const { left, right, top, bottom } = main.getBoundingClientRect()
  const centre = (from: number, to: number, end: number) => (Math.max(from, 0) + Math.min(to, end)) / 2
  return { x: centre(left, right, innerWidth), y: centre(top, bottom, innerHeight) }
}

/** Finds the sheet nearest to a point by way of the pages, because the content of distant ones is not laid out. */
function sheetAt(main: HTMLElement, { x, y }: Point): Element | undefined {
  const under = document.elementsFromPoint(x, y).find((found) => found.matches('.sheet'))
  if (under !== undefined) return under
  const distance = ({ left, right, top, bottom }: DOMRect) =>
    Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom))
  const [nearest] = [...main.querySelectorAll('.page')]
    .map((page) => ({ page, box: page.getBoundingClientRect() }))
    .filter(({ box }) => box.width > 0)
    .sort((a, b) => distance(a.box) - distance(b.box))
  return nearest?.page.querySelector('.sheet') ?? undefined
}
