/** Heights at the corners of a square grid, row by row from the north; NaN where one is not known. */
export type HeightGrid = { side: number; meters: Float32Array }

/** A line of one height: x and y of its points by turns, in steps of the grid from its north-west corner. */
type ContourLine = number[]

/** Edges of a cell: the northern, the eastern, the southern and the western one. */
const [NORTH, EAST, SOUTH, WEST] = [0, 1, 2, 3]

/**
 * Ways through a cell, by which of its corners are above the line: north-west 8, north-east 4, south-east 2, south-west
 * 1. Pairs of the edges where a line enters and leaves, with the higher ground on its left.
 */
const WAYS: readonly (readonly number[])[] = [
  [],
  [SOUTH, WEST],
  [EAST, SOUTH],
  [EAST, WEST],
  [NORTH, EAST],
  [NORTH, EAST, SOUTH, WEST],
  [NORTH, SOUTH],
  [NORTH, WEST],
  [WEST, NORTH],
  [SOUTH, NORTH],
  [WEST, NORTH, EAST, SOUTH],
  [EAST, NORTH],
  [WEST, EAST],
  [SOUTH, EAST],
  [WEST, SOUTH],
  [],
]

/** Lines of one height, as they are found: the edge after each edge of the grid. */
type Crossings = Map<number, number>

/**
 * Returns the lines at all multiples of an interval in metres, by how many intervals they are high. Marching squares:
 * each cell of the grid says how lines cross it, and lines are put together where they leave one cell for the next.
 */
export function contourLines(grid: HeightGrid, intervalMeters: number): Map<number, ContourLine[]> {
  const crossings = findCrossings(grid, intervalMeters)
  return new Map(Array.from(crossings, ([steps, next]) => [steps, joinedLines(grid, steps * intervalMeters, next)]))
}

function findCrossings({ side, meters }: HeightGrid, intervalMeters: number): Map<number, Crossings> {
  const found = new Map<number, Crossings>()
  for (let row = 0; row + 1 < side; row++) {
    for (let column = 0; column + 1 < side; column++) {
      const at = row * side + column
      const [nw, ne, sw, se] = [meters[at], meters[at + 1], meters[at + side], meters[at + side + 1]]
      const highest = Math.max(nw, ne, sw, se)
      const first = Math.ceil(Math.min(nw, ne, sw, se) / intervalMeters)
      // Also ends at once with a height that is not known.
      for (let steps = first; steps * intervalMeters <= highest; steps++) {
        const level = steps * intervalMeters
        const ways = WAYS[(nw >= level ? 8 : 0) + (ne >= level ? 4 : 0) + (se >= level ? 2 : 0) + (sw >= level ? 1 : 0)]
        if (ways.length === 0) continue
        const next: Crossings = found.get(steps) ?? new Map()
        found.set(steps, next)
        for (let way = 0; way < ways.length; way += 2)
          next.set(edgeOf(at, side, ways[way]), edgeOf(at, side, ways[way + 1]))
      }
    }
  }
  return found
}

/** Returns a number for an edge of a cell: twice the corner where it begins, and one more if it goes south. */
function edgeOf(at: number, side: number, edge: number): number {
  if (edge === NORTH) return 2 * at
  if (edge === SOUTH) return 2 * (at + side)
  return edge === WEST ? 2 * at + 1 : 2 * (at + 1) + 1
}

function joinedLines(grid: HeightGrid, meters: number, next: Crossings): ContourLine[] {
  const entered = new Set(next.values())
  const lines: ContourLine[] = []
  const follow = (start: number) => {
    const line: ContourLine = []
    let edge: number | undefined = start
    while (edge !== undefined) {
      addPoint(line, grid, meters, edge)
      const after: number | undefined = next.get(edge)
      next.delete(edge)
      edge = after
    }
    lines.push(line)
  }
  for (const start of [...next.keys()]) if (!entered.has(start)) follow(start)
  // The rest are rings.
  for (const start of [...next.keys()]) if (next.has(start)) follow(start)
  return lines
}

/** Adds the point at which an edge has a height. */
function addPoint(line: ContourLine, { side, meters }: HeightGrid, height: number, edge: number): void {
  const at = edge >> 1
  const goesSouth = edge % 2 === 1
  const from = meters[at]
  const part = (height - from) / (meters[goesSouth ? at + side : at + 1] - from)
  line.push((at % side) + (goesSouth ? 0 : part), Math.floor(at / side) + (goesSouth ? part : 0))
}
