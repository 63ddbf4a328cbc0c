/**
 * The longitude nearest to another one that means the same meridian: beside 179.9 it is 180.1 for -179.9. A map draws a
 * line over the antimeridian as one where its longitudes go on beyond 180 degrees.
 */
export function closestLongitude(longitude: number, other: number): number {
  return longitude + 360 * Math.round((other - longitude) / 360)
}

/** The longitudes of a line, each beside the one before it. The first stays as it is. */
export function unwrapLongitudes(longitudes: readonly number[]): number[] {
  const unwrapped: number[] = []
  for (const longitude of longitudes) unwrapped.push(closestLongitude(longitude, unwrapped.at(-1) ?? longitude))
  return unwrapped
}

/**
 * The outline of an area with each longitude beside the one before it; as it is where it goes around the pole and does
 * not come back to where it began. The jump from 180 to -180 degrees would be drawn across the whole map.
 */
export function unwrapRing(ring: readonly number[][]): number[][] {
  const longitudes = unwrapLongitudes(ring.map(([longitude]) => longitude))
  if (longitudes.at(-1) !== longitudes[0]) return [...ring]
  return ring.map(([, ...others], index) => [longitudes[index], ...others])
}

/**
 * West and east of a span that holds all longitudes: islands on both sides of the antimeridian are together, and not at
 * the two ends of the world; what is spread over half of the world stays where it is on other maps. Undefined without
 * any.
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
