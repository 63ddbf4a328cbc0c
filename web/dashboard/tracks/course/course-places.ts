import { closestLongitude } from '../../../map/unwrap-longitudes.ts'
import type { CourseLine } from '../../api/races.ts'

/** A place on the course, and the direction of the course there: clockwise from north, in radians. */
export type CoursePlace = { longitude: number; latitude: number; bearing: number }

/** A place that is nearest to another one: so many metres along the course, and so many off it. */
type NearestPlace = { distanceM: number; offM: number }

/** Mean metres of a degree of latitude, and of longitude at the equator: enough for a finger on a map. */
export const METERS_PER_DEGREE = 111_195
/** Of two passes of a course that are equally near up to this, the one nearer to a given distance is meant. */
const SAME_PLACE_METERS = 30

/** Returns the place so many metres along a course of at least two places; at an end for a distance beyond it. */
export function placeAlong({ longitude, latitude, distance_m }: CourseLine, distanceM: number): CoursePlace {
  const after = distance_m.findIndex((meters) => meters >= distanceM)
  const to = Math.max(1, after === -1 ? distance_m.length - 1 : after)
  const from = to - 1
  const length = distance_m[to] - distance_m[from]
  const share = length === 0 ? 0 : Math.min(1, Math.max(0, (distanceM - distance_m[from]) / length))
  const east = closestLongitude(longitude[to], longitude[from]) - longitude[from]
  const north = latitude[to] - latitude[from]
  const scale = Math.cos((latitude[from] * Math.PI) / 180)
  return {
    longitude: longitude[from] + share * east,
    latitude: latitude[from] + share * north,
    bearing: Math.atan2(east * scale, north),
  }
}

/**
 * Returns the place of a course that is nearest to another place. Where the course passes several times, the pass
 * nearest to `aroundM` is meant; without it, the first.
 */
export function nearestAlong(
  line: CourseLine,
  place: { lng: number; lat: number },
  aroundM?: number,
): NearestPlace | undefined {
  const found: NearestPlace[] = []
  for (let to = 1; to < line.distance_m.length; to++) found.push(nearestOfLeg(line, to, place))
  const leastM = Math.min(...found.map(({ offM }) => offM))
  const passes = found.filter(({ offM }) => offM <= leastM + SAME_PLACE_METERS)
  if (aroundM === undefined) return found.find(({ offM }) => offM === leastM)
  const near = Math.min(...passes.map(({ distanceM }) => Math.abs(distanceM - aroundM)))
  const around = passes.filter(({ distanceM }) => Math.abs(distanceM - aroundM) <= near + SAME_PLACE_METERS)
  return around.toSorted((a, b) => a.offM - b.offM)[0]
}

function nearestOfLeg(line: CourseLine, to: number, { lng, lat }: { lng: number; lat: number }): NearestPlace {
  const { longitude, latitude, distance_m } = line
  const from = to - 1
  const scale = Math.cos((lat * Math.PI) / 180)
  const start = { x: (closestLongitude(longitude[from], lng) - lng) * scale, y: latitude[from] - lat }
  const end = { x: (closestLongitude(longitude[to], lng) - lng) * scale, y: latitude[to] - lat }
  const [dx, dy] = [end.x - start.x, end.y - start.y]
  const square = dx * dx + dy * dy
  const share = square === 0 ? 0 : Math.min(1, Math.max(0, -(start.x * dx + start.y * dy) / square))
  return {
    distanceM: distance_m[from] + share * (distance_m[to] - distance_m[from]),
    offM: Math.hypot(start.x + share * dx, start.y + share * dy) * METERS_PER_DEGREE,
  }
}
