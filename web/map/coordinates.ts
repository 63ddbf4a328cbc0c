import type { PaintedMap } from './painted-map.ts'

/**
 * Returns the equivalent longitude closest to another one: close to 179.9, -179.9 is 180.1. A map draws a line across
 * the antimeridian unbroken if its longitudes continue beyond 180 degrees.
 */
export function closestLongitude(longitude: number, other: number): number {
  return longitude + 360 * Math.round((other - longitude) / 360)
}

/** Returns the longitudes of a line, each closest to the one before. The first stays as it is. */
export function unwrapLongitudes(longitudes: readonly number[]): number[] {
  const unwrapped: number[] = []
  for (const longitude of longitudes) unwrapped.push(closestLongitude(longitude, unwrapped.at(-1) ?? longitude))
  return unwrapped
}

/**
 * Returns the outline of an area with each longitude closest to the one before; unchanged if it encloses a pole and
 * does not return to its start. The jump from 180 to -180 degrees would be drawn across the whole map.
 */
export function unwrapRing(ring: readonly number[][]): number[][] {
  const longitudes = unwrapLongitudes(ring.map(([longitude]) => longitude))
  if (longitudes.at(-1) !== longitudes[0]) return [...ring]
  return ring.map(([, ...others], index) => [longitudes[index], ...others])
}

/**
 * Returns west and east of a span that holds all longitudes. Islands on both sides of the antimeridian stay together;
 * positions spread over half of the world stay where other maps have them. Undefined without longitudes.
 */
export function longitudeSpan(longitudes: readonly number[]): { west: number; east: number } | undefined {
  if (longitudes.length === 0) return undefined
  const spans = [-180, 0].map((start) => {
    let [west, east] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    for (const longitude of longitudes) {
      const shifted = longitude - 360 * Math.floor((longitude - start) / 360)
      west = Math.min(west, shifted)
      east = Math.max(east, shifted)
    }
    return { west, east }
  })
  const [usual, shifted] = spans
  return shifted.east - shifted.west < (usual.east - usual.west) / 2 ? shifted : usual
}

type ShowOptions = {
  animate?: boolean
  /** Leaves room for names next to the outermost positions. */
  hasNames?: boolean
  /** Largest zoom, for positions close to each other. Default: 15. */
  maxZoom?: number
}

const MARGIN_PX = 48
/** Room for a short name, such as "Dossard 12". A narrow map keeps two thirds for the positions. */
const NAME_PX = 96

/** Moves a map so that all positions are visible. Does nothing without any. */
export function showAll(
  map: PaintedMap,
  positions: Iterable<readonly [number, number]>,
  { animate = false, hasNames = false, maxZoom = 15 }: ShowOptions = {},
): void {
  const longitudes: number[] = []
  let [south, north] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const [longitude, latitude] of positions) {
    longitudes.push(longitude)
    south = Math.min(south, latitude)
    north = Math.max(north, latitude)
  }
  const span = longitudeSpan(longitudes)
  if (span === undefined) return
  const sidePx = hasNames ? Math.max(MARGIN_PX, Math.min(NAME_PX, map.getContainer().clientWidth / 6)) : MARGIN_PX
  const padding = { top: MARGIN_PX, bottom: MARGIN_PX, left: sidePx, right: sidePx }
  map.fitBounds([span.west, south, span.east, north], { padding, maxZoom, animate })
}

/** Yields the positions of two columns. */
export function* positionsOf(longitude: readonly number[], latitude: readonly number[]) {
  for (let index = 0; index < longitude.length; index++) yield [longitude[index], latitude[index]] as const
}

/**
 * Returns the index of the position nearest to a place, in degrees with longitude scaled by the latitude: exact enough
 * for a pointer on a screen. -1 without positions.
 */
export function nearestIndex(
  longitude: readonly number[],
  latitude: readonly number[],
  place: { lng: number; lat: number },
): number {
  const shortened = Math.cos((place.lat * Math.PI) / 180)
  let nearest = -1
  let nearestSquare = Number.POSITIVE_INFINITY
  for (let index = 0; index < longitude.length; index++) {
    const east = closestLongitude(longitude[index], place.lng) - place.lng
    const square = (east * shortened) ** 2 + (latitude[index] - place.lat) ** 2
    if (square < nearestSquare) [nearest, nearestSquare] = [index, square]
  }
  return nearest
}
