import type { PointSlice } from '../track/exported-track.ts'

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
 * Finds the places at which to cut a track, so that no part of it crosses the antimeridian (RFC 7946, 3.1.9). Between
 * two points the track takes the shorter way round, in a straight line on the map.
 */
export class AntimeridianCuts {
  readonly #found: AntimeridianCut[] = []
  #before: Place | undefined
  #count = 0

  /** The cuts of the points so far, in their order. */
  get found(): readonly AntimeridianCut[] {
    return this.#found
  }

  /** Number of points so far. */
  get pointCount(): number {
    return this.#count
  }

  /** Takes the next points of the track. */
  add({ longitude, latitude, altitude, from, to }: PointSlice): void {
    for (let i = from; i < to; i++, this.#count++) {
      const place = { longitude: longitude[i], latitude: latitude[i], altitude: altitude[i] }
      if (this.#before !== undefined && Math.abs(place.longitude - this.#before.longitude) > 180) {
        this.#found.push({ index: this.#count, ...cutBetween(this.#before, place) })
      }
      this.#before = place
    }
  }
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
