import type { Box, Word } from '../document/page-list.ts'

/** The height at which a line is marked, in fractions of the page. */
export type Band = { top: number; bottom: number }

/** Share of its height that a line keeps where the next one begins within it. */
const MIN_BAND_SHARE = 0.4

/** Returns the band of each word: as high as its line, up to the next one, as two on each other would be darker. */
export function bandsOf(words: readonly Word[]): Band[] {
  const bands = new Array<Band>(words.length)
  let below: (Band & { left: number; right: number }) | undefined
  for (let end = words.length, first = end; end > 0; end = first) {
    while (first > 0 && words[first - 1].line === words[end - 1].line) first--
    const line = words.slice(first, end)
    const top = Math.min(...line.map(({ y }) => y))
    const bottom = Math.max(...line.map(({ y, height }) => y + height))
    const left = Math.min(...line.map(({ x }) => x))
    const right = Math.max(...line.map(({ x, width }) => x + width))
    const isBeside = below !== undefined && below.left < right && below.right > left
    const isCut = isBeside && below!.top < bottom && below!.top > top + MIN_BAND_SHARE * (bottom - top)
    const band = { top, bottom: isCut ? below!.top : bottom }
    bands.fill(band, first, end)
    below = { ...band, left, right }
  }
  return bands
}

/** A word or a part of one, across the page, with the band of its line. */
type MarkedPart = { x: number; width: number; band: Band }

/** Times the height of a line; wider spaces are between columns and cells. */
const MAX_GAP = 2

/**
 * Joins parts that follow each other on a line into one box, without the gaps between their words.
 * @param aspect the height of the page divided by its width
 */
export function joinParts(parts: readonly MarkedPart[], aspect: number): Box[] {
  const boxes: Box[] = []
  for (const { x, width, band } of parts) {
    const height = band.bottom - band.top
    const box = boxes.at(-1)
    const gap = box && Math.max(x - (box.x + box.width), box.x - (x + width))
    if (box?.y === band.top && gap! < MAX_GAP * height * aspect) {
      const right = Math.max(box.x + box.width, x + width)
      box.x = Math.min(box.x, x)
      box.width = right - box.x
    } else boxes.push({ x, y: band.top, width, height })
  }
  return boxes
}

/** Places an element over a box of its page. */
export function placeOver({ style }: HTMLElement, { x, y, width, height }: Box): void {
  style.left = `${x * 100}%`
  style.top = `${y * 100}%`
  style.width = `${width * 100}%`
  style.height = `${height * 100}%`
}
