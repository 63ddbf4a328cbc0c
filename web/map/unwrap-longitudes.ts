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
