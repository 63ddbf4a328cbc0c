import type { FieldError } from '#platform/basics/errors.ts'
import { type CourseShape, nearPlaces } from './course.ts'

/** A place by its coordinates in degrees. */
type Place = { latitude: number; longitude: number }

/** A line across the course, or a circle around a place of it. */
export type CheckpointShape =
  | { type: 'line'; from: Place; to: Place }
  | { type: 'circle'; latitude: number; longitude: number; radius_m: number }

export type CheckpointKind = 'start' | 'checkpoint' | 'finish'

/** A place of the course at which runners are timed. It is stored as it is on the wire. */
export type Checkpoint = {
  id: string
  name: string
  kind: CheckpointKind
  shape: CheckpointShape
  /** Metres from the beginning of the course. */
  course_distance_m: number
}

/**
 * A checkpoint as an operator sends it. Without a distance, it is where the course passes first after the one before.
 */
export type CheckpointInput = Omit<Checkpoint, 'id' | 'course_distance_m'> & {
  id?: string
  course_distance_m?: number | null
}

/** Half the width of the lines that a new course gets at its start and its finish. */
const HALF_WIDTH_METERS = 25
/** A distance that an operator gives may differ this much from where the course passes. */
const GIVEN_TOLERANCE_METERS = 500
/** Checkpoints follow each other at least this far along the course. */
const MIN_APART_METERS = 1

/**
 * Places checkpoints on a course: each gets the distance at which the course passes it, after the checkpoint before it,
 * or nearest to the distance that was given. A finish is where the course passes last.
 * @param newId makes the id of a checkpoint that has none
 */
export function placeCheckpoints(
  shape: CourseShape,
  inputs: readonly CheckpointInput[],
  newId: () => string,
): { checkpoints: Checkpoint[]; errors: FieldError[] } {
  const errors = orderErrors(inputs)
  const checkpoints: Checkpoint[] = []
  let lastM = Number.NEGATIVE_INFINITY
  for (const [i, input] of inputs.entries()) {
    const { id, course_distance_m: givenM } = input
    const passes = coursePasses(shape, inPlane(shape, input.shape)).map(({ courseM }) => courseM)
    const found = passes.length === 0 ? 'off' : choosePass(passes, givenM ?? undefined, lastM, input.kind)
    if (typeof found === 'string') {
      errors.push({
        path: `checkpoints/${i}/${found === 'off' ? 'shape' : 'course_distance_m'}`,
        message: PROBLEMS[found],
      })
      continue
    }
    lastM = found
    const { name, kind } = input
    checkpoints.push({
      id: id ?? newId(),
      name,
      kind,
      shape: input.shape,
      course_distance_m: Math.round(found * 10) / 10,
    })
  }
  return { checkpoints, errors }
}

const PROBLEMS = {
  off: 'must lie on the course, which passes through neither this line nor this circle',
  order: 'must be further along the course than the checkpoint before; the course does not pass here after it',
  given: `must be within ${GIVEN_TOLERANCE_METERS} m of where the course passes this checkpoint`,
}

function choosePass(passes: readonly number[], givenM: number | undefined, lastM: number, kind: CheckpointKind) {
  const later = passes.filter((courseM) => courseM >= lastM + MIN_APART_METERS)
  if (later.length === 0) return 'order'
  if (givenM === undefined) return kind === 'finish' ? later[later.length - 1] : later[0]
  const nearest = later.reduce((best, courseM) =>
    Math.abs(courseM - givenM) < Math.abs(best - givenM) ? courseM : best,
  )
  return Math.abs(nearest - givenM) <= GIVEN_TOLERANCE_METERS ? nearest : 'given'
}

function orderErrors(inputs: readonly CheckpointInput[]): FieldError[] {
  const errors: FieldError[] = []
  const ids = new Set<string>()
  for (const [i, { id, kind }] of inputs.entries()) {
    if (kind === 'start' && i > 0)
      errors.push({ path: `checkpoints/${i}/kind`, message: 'must not be start; only the first can be' })
    if (kind === 'finish' && i < inputs.length - 1) {
      errors.push({ path: `checkpoints/${i}/kind`, message: 'must not be finish; only the last can be' })
    }
    if (id !== undefined && ids.has(id)) errors.push({ path: `checkpoints/${i}/id`, message: 'must not be used twice' })
    if (id !== undefined) ids.add(id)
  }
  return errors
}

/** Returns a start and a finish of these names at the ends of a course: lines across it. */
export function endsOfCourse(
  shape: CourseShape,
  names: { start: string; finish: string },
  newId: () => string,
): CheckpointInput[] {
  const { lengthM } = shape
  return [
    { id: newId(), name: names.start, kind: 'start', shape: lineAcross(shape, 0), course_distance_m: 0 },
    { id: newId(), name: names.finish, kind: 'finish', shape: lineAcross(shape, lengthM), course_distance_m: lengthM },
  ]
}

function lineAcross(shape: CourseShape, courseM: number): Extract<CheckpointInput['shape'], { type: 'line' }> {
  const { x, y, projection } = shape
  const at = courseM === 0 ? 0 : x.length - 1
  const [{ dx, dy }] = nearPlaces(shape, x[at], y[at], 0, Math.max(0, courseM - 1))
  const lengthM = Math.hypot(dx, dy) || 1
  const [ox, oy] = [(-dy / lengthM) * HALF_WIDTH_METERS, (dx / lengthM) * HALF_WIDTH_METERS]
  return {
    type: 'line',
    from: projection.place(x[at] + ox, y[at] + oy),
    to: projection.place(x[at] - ox, y[at] - oy),
  }
}

/** A checkpoint in the plane of the course, in metres. */
export type Gate = { kind: CheckpointKind; courseM: number } & PlaneShape

type PlaneShape =
  | {
      type: 'line'
      ax: number
      ay: number
      bx: number
      by: number
      /** Side on which the course arrives: 1 left of the line from a to b, -1 right of it, 0 if both count. */
      arrivesFrom: number
    }
  | { type: 'circle'; cx: number; cy: number; radiusM: number }

/** Returns how far a place is from a gate at least, in metres; 0 or less where it may be on it. */
export function clearOfGate(gate: Gate, x: number, y: number): number {
  if (gate.type === 'circle') return Math.hypot(x - gate.cx, y - gate.cy) - gate.radiusM
  const [cx, cy] = [(gate.ax + gate.bx) / 2, (gate.ay + gate.by) / 2]
  return Math.hypot(x - cx, y - cy) - Math.hypot(gate.bx - gate.ax, gate.by - gate.ay) / 2
}

/** Entry into a shape and exit from it, as parts of the leg from 0 to 1. */
type LegCrossing = { enters: number | undefined; leaves: number | undefined }

/** A pass of the course at this distance along it counts as a pass of the checkpoint at that distance. */
const SAME_PASS_METERS = 100

/** Returns the gates of checkpoints, in the order of the course. */
export function gatesOf(shape: CourseShape, checkpoints: readonly Checkpoint[]): Gate[] {
  return checkpoints.map((checkpoint) => {
    const plane = inPlane(shape, checkpoint.shape)
    const gate = { kind: checkpoint.kind, courseM: checkpoint.course_distance_m }
    if (plane.type === 'circle') return { ...gate, ...plane }
    const pass = coursePasses(shape, plane).find(({ courseM }) => Math.abs(courseM - gate.courseM) <= SAME_PASS_METERS)
    return { ...gate, ...plane, arrivesFrom: pass?.arrivesFrom ?? 0 }
  })
}

/** Projects the shape of a checkpoint; a line counts in both directions. */
function inPlane({ projection: { x, y } }: CourseShape, shape: CheckpointShape): PlaneShape {
  if (shape.type === 'circle') {
    return { type: 'circle', cx: x(shape.longitude), cy: y(shape.latitude), radiusM: shape.radius_m }
  }
  const { from, to } = shape
  return {
    type: 'line',
    ax: x(from.longitude),
    ay: y(from.latitude),
    bx: x(to.longitude),
    by: y(to.latitude),
    arrivesFrom: 0,
  }
}

/** A pass of the course at a checkpoint: its distance along the course, and the side on which it arrives at a line. */
type CoursePass = { courseM: number; arrivesFrom: number }

/** A course that begins or ends this close before a line passes it: starts are often drawn on the line itself. */
const REACH_METERS = 25

/** Returns where the course passes a shape, in the order of the course. */
function coursePasses(shape: CourseShape, plane: PlaneShape): CoursePass[] {
  const { x, y, distanceM } = shape
  const passes: CoursePass[] = []
  const last = x.length - 1
  for (let i = 1; i <= last; i++) {
    const [dx, dy] = [x[i] - x[i - 1], y[i] - y[i - 1]]
    const lengthM = Math.hypot(dx, dy)
    const reach = lengthM === 0 ? 0 : REACH_METERS / lengthM
    const before = i === 1 ? reach : 0
    const after = i === last ? reach : 0
    const ends = [x[i - 1] - before * dx, y[i - 1] - before * dy, x[i] + after * dx, y[i] + after * dy] as const
    const { enters } = crossing(plane, ...ends)
    const startsInside = i === 1 && plane.type === 'circle' && isInside(plane, x[0], y[0])
    if (enters === undefined && !startsInside) continue
    const f = Math.min(1, Math.max(0, (enters ?? 0) * (1 + before + after) - before))
    const courseM = distanceM[i - 1] + f * (distanceM[i] - distanceM[i - 1])
    passes.push({ courseM, arrivesFrom: plane.type === 'line' ? sideOf(plane, ends[0], ends[1]) : 0 })
  }
  return passes
}

/** Returns where a leg from one place to another crosses a line, or enters and leaves a circle. */
export function crossing(plane: PlaneShape, x0: number, y0: number, x1: number, y1: number): LegCrossing {
  return plane.type === 'line' ? lineCrossing(plane, x0, y0, x1, y1) : circleCrossing(plane, x0, y0, x1, y1)
}

type PlaneLine = Extract<PlaneShape, { type: 'line' }>
type PlaneCircle = Extract<PlaneShape, { type: 'circle' }>

const NONE: LegCrossing = { enters: undefined, leaves: undefined }

/** A leg that ends on the line has crossed it, and one that begins there has not, so that no crossing counts twice. */
function lineCrossing(line: PlaneLine, x0: number, y0: number, x1: number, y1: number): LegCrossing {
  const before = cross(line, x0, y0)
  const after = cross(line, x1, y1)
  const isCrossed = before > 0 ? after <= 0 : before < 0 && after >= 0
  if (!isCrossed) return NONE
  if (line.arrivesFrom !== 0 && Math.sign(before) !== line.arrivesFrom) return NONE
  const f = before / (before - after)
  const [dx, dy] = [line.bx - line.ax, line.by - line.ay]
  const along = ((x0 + f * (x1 - x0) - line.ax) * dx + (y0 + f * (y1 - y0) - line.ay) * dy) / (dx * dx + dy * dy)
  return along < 0 || along > 1 ? NONE : { enters: f, leaves: f }
}

function circleCrossing({ cx, cy, radiusM }: PlaneCircle, x0: number, y0: number, x1: number, y1: number): LegCrossing {
  const [fx, fy] = [x0 - cx, y0 - cy]
  const [dx, dy] = [x1 - x0, y1 - y0]
  const a = dx * dx + dy * dy
  const b = fx * dx + fy * dy
  const c = fx * fx + fy * fy - radiusM * radiusM
  const root = b * b - a * c
  if (a === 0 || root <= 0) return NONE
  const enters = (-b - Math.sqrt(root)) / a
  const leaves = (-b + Math.sqrt(root)) / a
  return {
    enters: c > 0 && enters > 0 && enters <= 1 ? enters : undefined,
    leaves: leaves > 0 && leaves <= 1 && (c <= 0 || enters > 0) ? leaves : undefined,
  }
}

export function isInside({ cx, cy, radiusM }: PlaneCircle, x: number, y: number): boolean {
  return (x - cx) ** 2 + (y - cy) ** 2 <= radiusM * radiusM
}

function sideOf(line: PlaneLine, x: number, y: number): number {
  return Math.sign(cross(line, x, y))
}

/** Positive left of the line from a to b, negative right of it. */
function cross({ ax, ay, bx, by }: PlaneLine, x: number, y: number): number {
  return (bx - ax) * (y - ay) - (by - ay) * (x - ax)
}
