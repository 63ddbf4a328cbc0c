import type { Checkpoint, CheckpointsUpdate, CourseLine } from '../../api/races.ts'
import { type CoursePlace, METERS_PER_DEGREE, placeAlong } from './course-places.ts'

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
