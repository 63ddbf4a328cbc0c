import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readGpxCourse } from '../../src/tracks/race/course-worker.ts'

/** The course of the demo's race, as GPX. */
export const COURSE_PATH = fileURLToPath(new URL('../place/course.gpx', import.meta.url))

/** A place of a course: degrees, metres above the sea, and metres from its beginning. */
export type CoursePlace = { latitude: number; longitude: number; altitude: number; distanceM: number }

/** Reads the course, place by place. */
export function readCourse(): CoursePlace[] {
  const { latitude, longitude, altitude, distanceM } = readGpxCourse(readFileSync(COURSE_PATH)).line
  return Array.from(distanceM, (along, i) => {
    return { latitude: latitude[i], longitude: longitude[i], altitude: altitude[i], distanceM: along }
  })
}

/** Places between start and finish, by their coordinates. */
const BETWEEN: readonly [name: string, latitude: number, longitude: number][] = [
  ['Gutenberg', 47.06499, 9.50083],
  ['Ellholz', 47.05131, 9.48649],
  ['Rheindamm', 47.05422, 9.47571],
  ['Trübbach', 47.0687, 9.48133],
]
const RADIUS_METERS = 30

/** Returns the checkpoints: those of the demo between the start and the finish that the server gives a new course. */
export function checkpointsBetween([start, finish]: readonly object[]): { checkpoints: object[] } {
  const between = BETWEEN.map(([name, latitude, longitude]) => {
    return { name, kind: 'checkpoint', shape: { type: 'circle', latitude, longitude, radius_m: RADIUS_METERS } }
  })
  return { checkpoints: [start, ...between, finish] }
}
