/** A place in degrees. */
type Place = { latitude: number; longitude: number }

/**
 * Metres in a degree of latitude, and of longitude at 46 degrees north, on a sphere of the mean radius of the earth.
 */
const METERS_PER_DEGREE = 111_195.08
const METERS_PER_LONGITUDE = METERS_PER_DEGREE * Math.cos((46 * Math.PI) / 180)

/** Returns the place so many metres east and north of 46° N 6° E. */
export function placeAt(east: number, north: number): Place {
  return { latitude: 46 + north / METERS_PER_DEGREE, longitude: 6 + east / METERS_PER_LONGITUDE }
}

/** A loop of 4 km: a square with sides of 1 km, from its south-western corner eastwards. */
export const LAKE: readonly Place[] = [
  placeAt(0, 0),
  placeAt(1000, 0),
  placeAt(1000, 1000),
  placeAt(0, 1000),
  placeAt(0, 0),
]

/** Returns a GPX file with one line. */
export function makeGpx(places: readonly Place[], kind: 'track' | 'route' = 'track'): string {
  const tag = kind === 'track' ? 'trkpt' : 'rtept'
  const points = places.map(
    ({ latitude, longitude }, i) => `<${tag} lat="${latitude}" lon="${longitude}"><ele>${i}</ele></${tag}>`,
  )
  const line = points.join('\n')
  const name = '<name>Around the lake</name>'
  const body = kind === 'track' ? `<trk>${name}<trkseg>${line}</trkseg></trk>` : `<rte>${name}${line}</rte>`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">${body}</gpx>`
}
