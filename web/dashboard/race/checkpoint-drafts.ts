import { closestLongitude } from '../../map/coordinates.ts'
import type { Checkpoint, CheckpointsUpdate, CourseLine } from '../generated/types.gen.ts'

export type CheckpointShape = Checkpoint['shape']

/** A checkpoint while it is edited. */
export type CheckpointDraft = {
  /** Stays the same while the draft is edited. */
  key: string
  /** Id of the stored checkpoint; undefined for a new one. */
  id: string | undefined
  name: string
  kind: Checkpoint['kind']
  distanceM: number
  shape: CheckpointShape
}

/** A size that suits most roads and paths, with the error of a phone: width of a line, radius of a circle. */
const LINE_METERS = 50
const CIRCLE_METERS = 30

/** Returns stored checkpoints as drafts. */
export function draftsOf(checkpoints: readonly Checkpoint[]): CheckpointDraft[] {
  return checkpoints.map(({ id, name, kind, course_distance_m, shape }) => ({
    key: id,
    id,
    name,
    kind,
    distanceM: course_distance_m,
    shape,
  }))
}

/** Returns the body that stores drafts, in the order of the course. */
export function updateOf(drafts: readonly CheckpointDraft[]): CheckpointsUpdate {
  return {
    checkpoints: inOrder(drafts).map(({ id, name, kind, distanceM, shape }) => ({
      ...(id === undefined ? {} : { id }),
      name: name.trim(),
      kind,
      shape,
      course_distance_m: Math.round(distanceM * 10) / 10,
    })),
  }
}

/** Returns drafts in the order of the course: start first, finish last. */
export function inOrder(drafts: readonly CheckpointDraft[]): CheckpointDraft[] {
  const rank = { start: 0, checkpoint: 1, finish: 2 }
  return drafts.toSorted((a, b) => rank[a.kind] - rank[b.kind] || a.distanceM - b.distanceM)
}

/** Returns a draft at another distance along the course, across it as before. */
export function movedTo(line: CourseLine, draft: CheckpointDraft, distanceM: number): CheckpointDraft {
  const within = Math.min(Math.max(0, distanceM), line.distance_m.at(-1)!)
  return {
    ...draft,
    distanceM: within,
    shape: shapeAt(placeAlong(line, within), draft.shape.type, sizeOf(draft.shape)),
  }
}

/** Returns a draft with another shape or size. */
export function shapedAs(
  line: CourseLine,
  draft: CheckpointDraft,
  type: CheckpointShape['type'],
  meters = type === 'line' ? LINE_METERS : CIRCLE_METERS,
): CheckpointDraft {
  return { ...draft, shape: shapeAt(placeAlong(line, draft.distanceM), type, meters) }
}

/** Returns a new checkpoint, a line across the course. */
export function newDraft(
  line: CourseLine,
  distanceM: number,
  { key, name }: { key: string; name: string },
): CheckpointDraft {
  const shape = shapeAt(placeAlong(line, distanceM), 'line', LINE_METERS)
  return { key, id: undefined, name, kind: 'checkpoint', distanceM, shape }
}

/** Returns the middle of the longest part of the course without a checkpoint. */
export function middleOfLongest(line: CourseLine, drafts: readonly CheckpointDraft[]): number {
  const distances = [0, ...drafts.map(({ distanceM }) => distanceM), line.distance_m.at(-1)!].sort((a, b) => a - b)
  let best = { length: -1, middle: 0 }
  for (let i = 1; i < distances.length; i++) {
    const length = distances[i] - distances[i - 1]
    if (length > best.length) best = { length, middle: (distances[i] + distances[i - 1]) / 2 }
  }
  return best.middle
}

/** Returns the width of a line or the radius of a circle, in whole metres. */
export function sizeOf(shape: CheckpointShape): number {
  if (shape.type === 'circle') return Math.round(shape.radius_m)
  const { from, to } = shape
  const scale = Math.cos((from.latitude * Math.PI) / 180)
  const east = (to.longitude - from.longitude) * scale
  return Math.round(Math.hypot(east, to.latitude - from.latitude) * METERS_PER_DEGREE)
}

/** Returns the outline of a shape for a map: the ends of a line, or a ring. */
export function outlineOf(shape: CheckpointShape): [number, number][] {
  if (shape.type === 'line') return [shape.from, shape.to].map(({ longitude, latitude }) => [longitude, latitude])
  const { longitude, latitude, radius_m } = shape
  return Array.from({ length: 49 }, (_, i) => {
    const { longitude: x, latitude: y } = offset({ longitude, latitude }, (i * 2 * Math.PI) / 48, radius_m)
    return [x, y]
  })
}

/** Makes a shape at a place: a line across the course, or a circle around it. */
function shapeAt(place: CoursePlace, type: CheckpointShape['type'], meters: number): CheckpointShape {
  const { longitude, latitude, bearing } = place
  if (type === 'circle') return { type, longitude, latitude, radius_m: meters }
  const [left, right] = [-Math.PI / 2, Math.PI / 2].map((turn) => offset(place, bearing + turn, meters / 2))
  return { type, from: left, to: right }
}

function offset(place: { longitude: number; latitude: number }, bearing: number, meters: number) {
  const degrees = meters / METERS_PER_DEGREE
  return {
    latitude: place.latitude + degrees * Math.cos(bearing),
    longitude: place.longitude + (degrees * Math.sin(bearing)) / Math.cos((place.latitude * Math.PI) / 180),
  }
}

/** A place on the course, and the direction of the course there: clockwise from north, in radians. */
type CoursePlace = { longitude: number; latitude: number; bearing: number }

/** A place that is nearest to another one: so many metres along the course, and so many off it. */
type NearestPlace = { distanceM: number; offM: number }

/** Mean metres of a degree of latitude, and of longitude at the equator: enough for a finger on a map. */
const METERS_PER_DEGREE = 111_195
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
