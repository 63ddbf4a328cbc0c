/** Around the pages, and between two. */
const MARGIN_PX = 12

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
  return shapes.map((shape) => Math.floor(shared / shape))
}
