/** Space left free on each side of the pages. */
const MARGIN_PX = 12
/** Pages taller than this many widths would be too narrow to read if they were fitted: they keep a readable width. */
const MIN_TALL_ASPECT = 3
const MIN_READABLE_PX = 600

/**
 * Returns the widths at which pages fit the screen side by side, all of one height.
 * @param aspects the height of each page divided by its width
 * @param space in pixels, with the margins around the pages
 */
export function fittedWidths(aspects: readonly number[], space: { width: number; height: number }): number[] {
  // Facing pages touch, as in a book; narrow screens have no margins to spare.
  const width = space.width - (space.width < 600 ? 0 : 2 * MARGIN_PX)
  const maxHeight = space.height - 2 * MARGIN_PX
  const widthPerHeight = aspects.reduce((sum, aspect) => sum + 1 / aspect, 0)
  const height = Math.max(Math.min(maxHeight, width / widthPerHeight), 50)
  return aspects.map((aspect) => {
    const minWidth = aspect > MIN_TALL_ASPECT ? Math.min(MIN_READABLE_PX, width / aspects.length) : 0
    return Math.floor(Math.max(height / aspect, minWidth))
  })
}
