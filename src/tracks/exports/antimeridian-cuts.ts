import type { PointsPage } from './exported-track.ts'

/** A crossing of the antimeridian, between a point and the one before it. */
export type AntimeridianCut = {
  /** Index in the track of the point after the cut, from 0. */
  index: number
  /** Side from which the line comes: 180 eastwards, -180 westwards. */
  side: 180 | -180
  latitude: number
  /** Meters; NaN when one of the two points has none. */
  altitude: number
}

type Place = { longitude: number; latitude: number; altitude: number }

/**
 * Returns the places at which to cut a track, so that no part of it crosses the antimeridian (RFC 7946, 3.1.9). Between
 * two points the track takes the shorter way round, in a straight line on the map.
 */
export function antimeridianCuts(pages: Iterable<PointsPage>): AntimeridianCut[] {
  const cuts: AntimeridianCut[] = []
  let before: Place | undefined
  let index = 0
  for (const page of pages) {
    for (let i = page.from; i < page.to; i++, index++) {
      const place = { longitude: page.longitude[i], latitude: page.latitude[i], altitude: page.altitude[i] }
      if (before !== undefined && Math.abs(place.longitude - before.longitude) > 180) {
        cuts.push({ index, ...cutBetween(before, place) })
      }
      before = place
    }
  }
  return cuts
}

function cutBetween(before: Place, after: Place): Omit<AntimeridianCut, 'index'> {
  const side = before.longitude > 0 ? 180 : -180
  const width = after.longitude + 2 * side - before.longitude
  const share = width === 0 ? 0 : (side - before.longitude) / width
  return {
    side,
    latitude: before.latitude + share * (after.latitude - before.latitude),
    altitude: before.altitude + share * (after.altitude - before.altitude),
  }
}
