import { geoidHeightMeters } from './geoid.ts'
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
