/**
 * The longitude nearest to another one that means the same meridian: beside 179.9 it is 180.1 for -179.9. A map draws a
 * line over the antimeridian as one where its longitudes go on beyond 180 degrees.
 */
export function besideLongitude(longitude: number, other: number): number {
  return longitude + 360 * Math.round((other - longitude) / 360)
}

/** The longitudes of a line, each beside the one before it. The first stays as it is. */
export function unwrapLongitudes(longitudes: readonly number[]): number[] {
  const unwrapped: number[] = []
  for (const longitude of longitudes) unwrapped.push(besideLongitude(longitude, unwrapped.at(-1) ?? longitude))
  return unwrapped
}

/**
 * West and east of the narrowest span that holds all longitudes, of those that begin at -180 and at 0 degrees: islands
 * on both sides of the antimeridian are together, and not at the two ends of the world. Undefined without any.
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
  return spans[1].east - spans[1].west < spans[0].east - spans[0].west ? spans[1] : spans[0]
}
