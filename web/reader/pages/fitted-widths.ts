/** Around the pages, and between two. */
const MARGIN_PX = 12
/** Pages taller than so many widths would be threads if they were seen whole: they are as wide as can be read. */
const TALL = 3
const READABLE_PX = 600

/**
 * How wide pages are that are seen whole, side by side and of one height.
 * @param shapes height by width of each
 * @param room in pixels, what is around the pages included
 */
export function fittedWidths(shapes: readonly number[], room: { width: number; height: number }): number[] {
  // Facing pages meet, as in a book; narrow screens have no room to give away.
  const width = room.width - (room.width < 600 ? 0 : 2 * MARGIN_PX)
  const height = room.height - 2 * MARGIN_PX
  const widthPerHeight = shapes.reduce((sum, shape) => sum + 1 / shape, 0)
  const shared = Math.max(Math.min(height, width / widthPerHeight), 50)
  return shapes.map((shape) => {
    const least = shape > TALL ? Math.min(READABLE_PX, width / shapes.length) : 0
    return Math.floor(Math.max(shared / shape, least))
  })
}
