import { pageOf } from '../document/loaded-pages.ts'
import { type ReaderStore, VIEWS, type View } from '../document/reader-state.ts'

/** A place in the document, independent of the size of pages and text. */
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

/** Returns the box that places of a page are measured in: its sheet, or its section in the text view. */
export function boxOf(section: HTMLElement, isText: boolean): DOMRect {
  return ((!isText && section.querySelector('.sheet')) || section).getBoundingClientRect()
}

/** A place with the zoom at which it is read. */
export type OpenedPlace = {
  place: Place
  /** The current page, which is the last one at the end of the document, wherever that page begins. */
  page: number
  zoom: number
}

/** The exact place and the form in which a document was read, for when its page is loaded again in the same tab. */
export type KeptPlace = OpenedPlace & { view: View; isText: boolean; hash: string }

/** Reads the place of a page that is being reloaded, or returned to in the history; undefined for every other visit. */
export function readKeptPlace(slug: string): KeptPlace | undefined {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (navigation?.type !== 'reload' && navigation?.type !== 'back_forward') return undefined
  try {
    const kept = JSON.parse(sessionStorage.getItem(storageKey(slug)) ?? '') as KeptPlace
    const { page, across, down } = kept.place
    const isValid =
      VIEWS.includes(kept.view) &&
      Number.isSafeInteger(page) &&
      page >= 1 &&
      [across, down, kept.page, kept.zoom].every(Number.isFinite)
    // The history of a tab may have several entries of the same document.
    const isHere = navigation.type === 'reload' || kept.hash === location.hash
    return isValid && isHere ? kept : undefined
  } catch {
    // Nothing is kept, or storage is off.
    return undefined
  }
}

/** Keeps the place whenever the reader rests or leaves. */
export function keepPlace(slug: string, store: ReaderStore, placeNow: () => Place | undefined): void {
  const write = () => {
    const place = placeNow()
    const { page, view, isText, zoom } = store.current
    if (place === undefined) return
    try {
      const kept: KeptPlace = { place, page, view, isText, zoom, hash: location.hash }
      sessionStorage.setItem(storageKey(slug), JSON.stringify(kept))
    } catch {
      // Without storage, a reload opens the page in the address.
    }
  }
  addEventListener('scrollend', write)
  addEventListener('pagehide', write)
  // A phone may end a page in the background without a further event.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') write()
  })
}

/** The script in the head of the page uses this key as well. */
function storageKey(slug: string): string {
  return `reader-place/${slug}`
}

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

/** Scrolls without animation, even if the stylesheet sets one. */
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

/** Distance from the edge of the text at which its lines are looked up. */
const INSET_PX = 4

/**
 * Returns the first character of the line of a page's text at a height of the screen, counted from
 * the start of the text, and the part of the line above that height. Undefined if there is no text.
 * Works with any elements inside the text.
 */
function characterAt(section: HTMLElement, y: number): { character: number; within: number } | undefined {
  const text = section.querySelector('.text')
  if (text === null) return undefined
  const { left, right, top, bottom } = text.getBoundingClientRect()
  const { paddingLeft, paddingRight, direction } = getComputedStyle(text)
  const isRightToLeft = direction === 'rtl'
  const x = isRightToLeft ? right - parseFloat(paddingRight) - INSET_PX : left + parseFloat(paddingLeft) + INSET_PX
  const caret = caretAt(x, Math.min(Math.max(y, top + 1), bottom - 1))
  if (caret === undefined || !text.contains(caret.node)) return undefined
  const before = document.createRange()
  before.setStart(text, 0)
  before.setEnd(caret.node, caret.offset)
  const character = before.toString().length
  const line = lineOfCharacter(section, character)
  return line && { character, within: (y - line.top) / (line.height || 1) }
}

/** Returns the box of a character of a page's text on the screen; undefined if the page has no text. */
function lineOfCharacter(section: HTMLElement, character: number): DOMRect | undefined {
  const text = section.querySelector('.text')
  if (text === null) return undefined
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  let start = 0
  for (let node = walker.nextNode() as Text | null; node !== null; node = walker.nextNode() as Text | null) {
    const end = start + node.length
    if (character < end && node.data.trim() !== '') {
      range.setStart(node, Math.max(character - start, 0))
      range.setEnd(node, Math.min(Math.max(character - start, 0) + 1, node.length))
      return range.getClientRects()[0] ?? range.getBoundingClientRect()
    }
    start = end
  }
  return undefined
}

/** Finds the position in the text at a point of the screen; browsers have two functions for it. */
function caretAt(x: number, y: number): { node: Node; offset: number } | undefined {
  if (document.caretPositionFromPoint !== undefined) {
    const found = document.caretPositionFromPoint(x, y)
    return found === null ? undefined : { node: found.offsetNode, offset: found.offset }
  }
  const range = document.caretRangeFromPoint?.(x, y)
  return range ? { node: range.startContainer, offset: range.startOffset } : undefined
}
