import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Bounds, makeTerrain } from '../test/support/make-map-file.ts'

// Writes the files of test/data/terrain from `elevation.npy`, an array of NumPy: see the README of that folder.

const FOLDER = fileURLToPath(new URL('../test/data/terrain', import.meta.url))
/** The grid of the source: whole metres at the middles of cells of 3 arc seconds, row by row from the north. */
const [ROWS, COLUMNS] = [344, 403]
const [WEST, NORTH] = [-84.41375, 36.73291666666667]
const CELL_DEGREES = 1 / 1200
/** The part of it that becomes a file: four tiles with pixels of 15 m, from 320 to 1,040 m high. */
const BOUNDS: Bounds = [-84.28, 36.49, -84.205, 36.55]
const ZOOM = 13
/** Heights are rounded to this, so that the file stays small. */
const ROUNDED_TO_METERS = 0.5
/** Every so many cells of that part are listed. */
const LISTED_EVERY = 7

const heights = readArray(readFileSync(0))
writeFileSync(join(FOLDER, 'jacksboro.pmtiles'), await makeFile())
writeFileSync(join(FOLDER, 'jacksboro.csv'), `latitude,longitude,meters\n${listed().join('\n')}\n`)

async function makeFile(): Promise<Buffer> {
  const rounded = (latitude: number, longitude: number) =>
    Math.round(metersAt(latitude, longitude) / ROUNDED_TO_METERS) * ROUNDED_TO_METERS
  return await makeTerrain({ metersAt: rounded, bounds: BOUNDS, zoom: ZOOM, format: 'webp' })
}

/** Returns the values of an array of 16-bit integers (NumPy Enhancement Proposal 1). */
function readArray(bytes: Buffer): Int16Array {
  const header = bytes.toString('latin1', 10, 10 + bytes.readUInt16LE(8))
  if (!header.includes(`'descr': '<i2'`) || !header.includes(`(${ROWS}, ${COLUMNS})`))
    throw new Error(`Not the expected array: ${header}`)
  const values = bytes.subarray(10 + header.length)
  return Int16Array.from({ length: ROWS * COLUMNS }, (_, i) => values.readInt16LE(2 * i))
}

/** Returns the height of a place, bilinear between the middles of cells. */
function metersAt(latitude: number, longitude: number): number {
  const [x, y] = [(longitude - WEST) / CELL_DEGREES - 0.5, (NORTH - latitude) / CELL_DEGREES - 0.5]
  const [column, row] = [Math.floor(x), Math.floor(y)]
  const [east, south] = [x - column, y - row]
  const at = (i: number, j: number) => heights[Math.min(ROWS - 1, Math.max(0, j)) * COLUMNS + i]
  const above = at(column, row) * (1 - east) + at(column + 1, row) * east
  const below = at(column, row + 1) * (1 - east) + at(column + 1, row + 1) * east
  return above * (1 - south) + below * south
}

function listed(): string[] {
  const [west, south, east, north] = BOUNDS
  const lines: string[] = []
  for (let row = 0; row < ROWS; row += LISTED_EVERY) {
    for (let column = 0; column < COLUMNS; column += LISTED_EVERY) {
      const latitude = NORTH - (row + 0.5) * CELL_DEGREES
      const longitude = WEST + (column + 0.5) * CELL_DEGREES
      if (latitude < south || latitude > north || longitude < west || longitude > east) continue
      lines.push(`${latitude.toFixed(6)},${longitude.toFixed(6)},${heights[row * COLUMNS + column]}`)
    }
  }
  return lines
}
