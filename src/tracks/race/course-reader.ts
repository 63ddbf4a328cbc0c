import { badRequest, unavailable } from '#platform/basics/errors.ts'
import { threadPool } from '#platform/basics/thread-pool.ts'
import type { ReadCourse } from './course-worker.ts'

/** Largest file of a course. */
export const MAX_COURSE_BYTES = 20 * 1_048_576
/** Memory limit of the thread's JavaScript: the largest file with the most points takes a quarter of it. */
const MAX_HEAP_MB = 512
/** An idle thread ends after this time: courses are rare. */
const IDLE_MS = 5000
/** Files that wait for the thread. */
const MAX_WAITING = 4
/** A file of the largest size takes a few seconds. */
const TIME_LIMIT_MS = 60_000

/** Reads files of courses in a thread: XML of 20 MB takes seconds. */
export type CourseReader = ReturnType<typeof createCourseReader>

export function createCourseReader() {
  const pool = threadPool<Uint8Array, ReadCourse>(new URL('./course-worker.ts', import.meta.url), {
    run: 'readCourse',
    maxThreads: 1,
    maxWaiting: MAX_WAITING,
    idleMs: IDLE_MS,
    heapMb: MAX_HEAP_MB,
  })
  return {
    /** @throws badRequest for a file that is no course; unavailable when too many files wait */
    async read(bytes: Uint8Array): Promise<Exclude<ReadCourse, { problem: string }>> {
      if (pool.waiting >= MAX_WAITING) throw tooManyCourses()
      const read = await pool.run(bytes, { signal: AbortSignal.timeout(TIME_LIMIT_MS) })
      if ('problem' in read) {
        const message = read.problem
        throw badRequest({ detail: `The course ${message}.`, errors: [{ path: '', message }] })
      }
      return read
    },
    close: pool.close,
  }
}

function tooManyCourses() {
  return unavailable({
    detail: 'Too many courses are being read at once. Try again shortly.',
    retryAfterSec: 5,
  })
}
