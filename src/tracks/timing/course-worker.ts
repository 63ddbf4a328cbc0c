import { type ReadCourse, readCourseFile } from './course-task.ts'

/** Reads the file of a course in a worker thread. The pool calls it. */
export function readCourse(bytes: Uint8Array): ReadCourse {
  return readCourseFile(bytes)
}
