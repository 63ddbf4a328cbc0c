import { fromGeojsonVt } from '@maplibre/vt-pbf'
import { LRUCache } from 'lru-cache'
import type { MapUnits, TileFile } from './shown-map.ts'
import { openTileFile } from './tile-files.ts'

/** The zoom level of a tile, its column from the west and its row from the north. */
type TilePlace = { z: number; x: number; y: number }

type Intervals = { metersPerUnit: number; byZoom: readonly { fromZoom: number; interval: number }[] }

/** Metres or feet between two lines by zoom level. The US Geological Survey uses these intervals in feet. */
const INTERVALS: Record<MapUnits['system'], Intervals> = {
  metric: {
    metersPerUnit: 1,
    byZoom: [
      { fromZoom: 14, interval: 10 },
      { fromZoom: 13, interval: 20 },
      { fromZoom: 12, interval: 50 },
      { fromZoom: 0, interval: 100 },
    ],
  },
  imperial: {
    metersPerUnit: 0.3048,
    byZoom: [
      { fromZoom: 14, interval: 40 },
      { fromZoom: 13, interval: 80 },
      { fromZoom: 12, interval: 200 },
      { fromZoom: 0, interval: 400 },
    ],
  },
}
/** Each fifth line is thick, and has its height. */
const INDEX_LINES = 5
/** Units of the coordinates in a tile, along its side. */
const EXTENT = 4096
/** Decoded tiles that are kept: each is a neighbour of eight others. */
const KEPT_TILES = 30
/** No land is below the shore of the Dead Sea, or above Mount Everest; other values mark unknown places, and seas. */
const LOWEST_METERS = -450
const HIGHEST_METERS = 9000

const decoded = new LRUCache<string, Promise<HeightGrid | undefined>>({ max: KEPT_TILES })

/** Lines to compute: the name of their layer, the file with the elevations, and the system of their heights. */
type Contours = { layer: string; file: TileFile; system: MapUnits['system'] }

/**
 * Computes a vector tile with a layer of contour lines, each with its `height` in metres or feet, and `is_index`, 1 or
 * 0. It is empty where the file has no elevations.
 */
export async function contourTile({ layer, file, system }: Contours, place: TilePlace): Promise<ArrayBuffer> {
  const { z, x, y } = place
  const around = await Promise.all(
    Array.from({ length: 9 }, (_, i) => heightsOf(file, { z, x: x + (i % 3) - 1, y: y + Math.floor(i / 3) - 1 })),
  )
  const grid = withNeighbours(around)
  if (grid === undefined) return new ArrayBuffer(0)
  const { metersPerUnit, byZoom } = INTERVALS[system]
  const { interval } = byZoom.find(({ fromZoom }) => z >= fromZoom)!
  const unit = EXTENT / (grid.side - 2)
  // The first corner of the grid is the middle of a pixel before the tile.
  const unitsAt = (steps: number) => Math.round((steps - 0.5) * unit)
  const features = Array.from(contourLines(grid, interval * metersPerUnit), ([steps, lines]) => ({
    type: 2 as const,
    tags: { height: steps * interval, is_index: steps % INDEX_LINES === 0 ? 1 : 0 },
    geometry: lines.map((line) =>
      Array.from({ length: line.length / 2 }, (_, i): [number, number] => [
        unitsAt(line[2 * i]),
        unitsAt(line[2 * i + 1]),
      ]),
    ),
  }))
  const bytes = fromGeojsonVt({ [layer]: { features } as never }, { version: 2, extent: EXTENT })
  return bytes.slice().buffer
}

/** Returns the heights of a tile with a row or column of those around it on each side; undefined without the tile. */
function withNeighbours(around: readonly (HeightGrid | undefined)[]): HeightGrid | undefined {
  const middle = around[4]
  if (middle === undefined) return undefined
  const inner = middle.side
  const side = inner + 2
  const meters = new Float32Array(side * side).fill(Number.NaN)
  for (let i = 0; i < meters.length; i++) {
    const [column, row] = [(i % side) - 1, Math.floor(i / side) - 1]
    const tile = around[Math.floor(row / inner) * 3 + 3 + Math.floor(column / inner) + 1]
    // A file whose tiles differ in width has no lines across their edges.
    if (tile?.side === inner) meters[i] = tile.meters[((row + inner) % inner) * inner + ((column + inner) % inner)]
  }
  return { side, meters }
}

function heightsOf(file: TileFile, { z, x, y }: TilePlace): Promise<HeightGrid | undefined> {
  const count = 2 ** z
  if (y < 0 || y >= count) return Promise.resolve(undefined)
  const column = (x + count) % count
  const key = `${file.url} ${z} ${column} ${y}`
  const known = decoded.get(key)
  if (known !== undefined) return known
  const reading = read(file, { z, x: column, y })
  decoded.set(key, reading)
  // Read again after a failure, as of the line.
  reading.catch(() => decoded.delete(key))
  return reading
}

async function read(file: TileFile, { z, x, y }: TilePlace): Promise<HeightGrid | undefined> {
  const tile = await openTileFile(file.url).getZxy(z, x, y)
  if (tile === undefined) return undefined
  const image = await createImageBitmap(new Blob([tile.data]), {
    colorSpaceConversion: 'none',
    premultiplyAlpha: 'none',
  })
  const colours = await coloursOf(image)
  const isTerrarium = (file.elevation_encoding ?? 'terrarium') === 'terrarium'
  const meters = new Float32Array(image.width * image.width)
  for (let i = 0; i < meters.length; i++) {
    const [red, green, blue] = [colours[4 * i], colours[4 * i + 1], colours[4 * i + 2]]
    const height = isTerrarium
      ? red * 256 + green + blue / 256 - 32_768
      : (red * 65_536 + green * 256 + blue) / 10 - 10_000
    meters[i] = height >= LOWEST_METERS && height <= HIGHEST_METERS ? height : Number.NaN
  }
  return { side: image.width, meters }
}

/**
 * Returns red, green, blue and opacity of each pixel. Some browsers change what a canvas returns, so that nobody can be
 * recognised by it; a frame of a video is not changed.
 */
async function coloursOf(image: ImageBitmap): Promise<Uint8ClampedArray | Uint8Array> {
  try {
    const frame = new VideoFrame(image, { timestamp: 0 })
    const bytes = new Uint8Array(4 * image.width * image.height)
    try {
      await frame.copyTo(bytes, { format: 'RGBA' })
    } finally {
      frame.close()
    }
    return bytes
  } catch {
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d', { willReadFrequently: true })!
    context.drawImage(image, 0, 0)
    return context.getImageData(0, 0, image.width, image.height).data
  }
}

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
