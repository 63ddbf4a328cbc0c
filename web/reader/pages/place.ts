import { pageOf } from '../document/loaded-pages.ts'
import { type Point, scrollInstantly } from './scroll-anchor.ts'
import { characterAt, lineOfCharacter } from './text-lines.ts'

/** A place in the document, in terms that hold whatever the size of pages and text. */
export type Place = {
  page: number
  /** The point of the sheet, or of the page's section in the text view, as fractions of its width and height. */
  across: number
  down: number
  /** In the text view, the character at the start of the line that is there. */
  character?: number
  /** The part of that line above the point. */
  within?: number
}

/** Returns the place of a page that is at a point of the screen, which may lie beyond its edges. */
export function placeAt(section: HTMLElement, point: Point, isText: boolean): Place {
  const { left, top, width, height } = boxOf(section, isText)
  const place = {
    page: pageOf(section),
    across: (point.x - left) / (width || 1),
    down: (point.y - top) / (height || 1),
  }
  const line = isText ? characterAt(section, point.y) : undefined
  return line === undefined ? place : { ...place, character: line.character, within: line.within }
}

/** Scrolls so that a place is at a point of the screen. */
export function scrollToPlace(
  { across, down, character, within = 0 }: Place,
  section: HTMLElement,
  point: Point,
  { isText, scroller }: { isText: boolean; scroller: Element },
): void {
  const box = boxOf(section, isText)
  const line = isText && character !== undefined ? lineOfCharacter(section, character) : undefined
  const y = line === undefined ? box.top + down * box.height : line.top + within * line.height
  const x = isText ? point.x : box.left + across * box.width
  scrollInstantly(scroller, x - point.x, y - point.y)
}

function boxOf(section: HTMLElement, isText: boolean): DOMRect {
  return ((!isText && section.querySelector('.sheet')) || section).getBoundingClientRect()
}
