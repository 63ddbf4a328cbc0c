import type { FieldError } from '#platform/errors.ts'
import type { Checkpoint, CheckpointInput, CheckpointKind } from './checkpoint.ts'
import { type CourseShape, nearPlaces } from './course-shape.ts'
import { coursePasses, inPlane } from './gates.ts'

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

/** Returns a start and a finish at the ends of a course: lines across it. */
export function endsOfCourse(shape: CourseShape, newId: () => string): CheckpointInput[] {
  const { lengthM } = shape
  return [
    { id: newId(), name: 'Start', kind: 'start', shape: lineAcross(shape, 0), course_distance_m: 0 },
    { id: newId(), name: 'Finish', kind: 'finish', shape: lineAcross(shape, lengthM), course_distance_m: lengthM },
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
