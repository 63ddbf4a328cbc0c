import { inflateRawSync } from 'node:zlib'
import geoid from './geoid.json' with { type: 'json' }
import type { PointColumns } from './point-columns.ts'
import { POINT_FIELDS } from './point-fields.ts'

/** The zero of an altitude. Android's API gives heights above the ellipsoid of WGS 84, the API of iOS above the sea. */
export const ALTITUDE_REFERENCES = POINT_FIELDS.altitudeReference.choices
export type AltitudeReference = (typeof ALTITUDE_REFERENCES)[number]

/** The zero of the altitudes of points as they were sent, and who said so. */
export type KnownReference = { sent: AltitudeReference | 'mixed'; source: 'points' | 'track' | 'course' | 'terrain' }

const SEA_LEVEL = ALTITUDE_REFERENCES.indexOf('sea_level') + 1
const ELLIPSOID = ALTITUDE_REFERENCES.indexOf('ellipsoid') + 1

type Altitudes = Pick<PointColumns, 'count' | 'altitude' | 'altitudeReference'>

/**
 * Returns the points with their altitudes above sea level, as far as their zero is known: from a point itself, else of
 * its track. All others stay as sent. The same object if nothing changes.
 */
export function aboveSeaLevel(points: PointColumns, ofTrack: AltitudeReference | null): PointColumns {
  const { count, altitude, altitudeReference, latitude, longitude } = points
  const usual = codeOf(ofTrack)
  let meters: Float64Array | undefined
  for (let i = 0; i < count; i++) {
    if ((altitudeReference[i] || usual) !== ELLIPSOID || Number.isNaN(altitude[i])) continue
    meters ??= altitude.slice()
    meters[i] -= geoidHeightMeters(latitude[i], longitude[i])
  }
  return meters === undefined ? points : { ...points, altitude: meters }
}

/** Returns the zero of the altitudes as sent; undefined if it is not known of any. */
export function knownReference(
  { count, altitude, altitudeReference }: Altitudes,
  ofTrack: AltitudeReference | null,
): KnownReference | undefined {
  const usual = codeOf(ofTrack)
  const isFound = [false, false, false]
  let source: KnownReference['source'] = 'track'
  for (let i = 0; i < count; i++) {
    if (Number.isNaN(altitude[i])) continue
    if (altitudeReference[i] !== 0) source = 'points'
    isFound[altitudeReference[i] || usual] = true
  }
  if (!isFound[SEA_LEVEL] && !isFound[ELLIPSOID]) return undefined
  const isMixed = isFound.filter(Boolean).length > 1
  return { sent: isMixed ? 'mixed' : isFound[ELLIPSOID] ? 'ellipsoid' : 'sea_level', source }
}

function codeOf(reference: AltitudeReference | null): number {
  return reference === null ? 0 : ALTITUDE_REFERENCES.indexOf(reference) + 1
}

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
