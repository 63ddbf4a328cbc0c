import type { Checkpoint } from '../race/checkpoint.ts'
import { type CourseLine, decodeCourseLine } from '../race/course-line.ts'
import { type CourseShape, courseShape } from '../race/course-shape.ts'
import { type Gate, gatesOf } from '../race/gates.ts'
import { checkpointsOf } from '../representations/race-json.ts'
import type { RaceRow } from '../storage/tables.ts'

/** A course with its checkpoints, ready to be compared with tracks. */
export type RaceCourse = {
  revision: number
  line: CourseLine
  shape: CourseShape
  checkpoints: Checkpoint[]
  gates: Gate[]
}

/** Prepares the course of a race; undefined without one. */
export function raceCourse(race: RaceRow): RaceCourse | undefined {
  if (race.course_line === null) return undefined
  const line = decodeCourseLine(race.course_line)
  const shape = courseShape(line)
  const checkpoints = checkpointsOf(race)
  return { revision: race.course_revision, line, shape, checkpoints, gates: gatesOf(shape, checkpoints) }
}
