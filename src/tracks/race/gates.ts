import type { Checkpoint, CheckpointKind, CheckpointShape } from './checkpoint.ts'
import type { CourseShape } from './course-shape.ts'

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

/** A pass of the course at this distance along it counts as that of a checkpoint at that distance. */
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
export function inPlane({ projection: { x, y } }: CourseShape, shape: CheckpointShape): PlaneShape {
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
export function coursePasses(shape: CourseShape, plane: PlaneShape): CoursePass[] {
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
