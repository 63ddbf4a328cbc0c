import { inflateRawSync } from 'node:zlib'
import geoid from './geoid.json' with { type: 'json' }

// The geoid of EGM96 (NASA/TP-1998-206861) every half degree. The National Geospatial-Intelligence Agency of the United
// States publishes its values without restrictions; scripts/write-geoid.ts makes geoid.json of them.

const { columns: COLUMNS, rows: ROWS, unit_meters: UNIT_METERS, deflated: DEFLATED } = geoid

/** Heights in units, row by row from the north pole south, each from Greenwich east. Read when it is first needed. */
let grid: Int16Array | undefined

/**
 * Returns the height of the geoid, which is the sea level, above the ellipsoid of WGS 84 in metres: bilinear, within
 * 0.12 m of EGM96 on average and 3 m everywhere. The latitude is -90 to 90, the longitude -180 to 180 degrees.
 */
export function geoidHeightMeters(latitude: number, longitude: number): number {
  grid ??= readGrid()
  const y = ((90 - latitude) / 180) * (ROWS - 1)
  const x = ((longitude + 360) / 360) * COLUMNS
  const row = Math.min(ROWS - 2, Math.floor(y))
  const column = Math.floor(x)
  const south = y - row
  const east = x - column
  const west = row * COLUMNS + (column % COLUMNS)
  const next = row * COLUMNS + ((column + 1) % COLUMNS)
  const above = grid[west] * (1 - east) + grid[next] * east
  const below = grid[west + COLUMNS] * (1 - east) + grid[next + COLUMNS] * east
  return (above * (1 - south) + below * south) * UNIT_METERS
}

/** Reads each value from its difference to the one before, less the difference of the two above. */
function readGrid(): Int16Array {
  const count = COLUMNS * ROWS
  const bytes = inflateRawSync(Buffer.from(DEFLATED, 'base64'))
  const heights = new Int16Array(count)
  for (let i = 0; i < count; i++) {
    const isFirst = i % COLUMNS === 0
    const above = i >= COLUMNS ? heights[i - COLUMNS] - (isFirst ? 0 : heights[i - COLUMNS - 1]) : 0
    heights[i] = (bytes[i] | (bytes[count + i] << 8)) + above + (isFirst ? 0 : heights[i - 1])
  }
  return heights
}
