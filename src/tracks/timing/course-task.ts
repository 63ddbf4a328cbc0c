import { courseClimb } from '../race/course-line.ts'
import { CourseFileError, type GpxCourse, readGpxCourse } from '../race/read-gpx-course.ts'
import { simplifyLine } from '../race/simplify-line.ts'

/** A course as it is stored, or why the file is none. Errors lose their class on their way between threads. */
export type ReadCourse = (GpxCourse & { climbM: number | null }) | { problem: string }

/** Reads the file of a course, and simplifies its line. */
export function readCourseFile(bytes: Uint8Array): ReadCourse {
  try {
    const { name, line } = readGpxCourse(bytes)
    return { name, line: simplifyLine(line), climbM: courseClimb(line) }
  } catch (error) {
    if (error instanceof CourseFileError) return { problem: error.message }
    throw error
  }
}
