import { closestLongitude } from './unwrap-longitudes.ts'

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
