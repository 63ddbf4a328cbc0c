import { Piscina } from 'piscina'
import { badRequest, unavailable } from '#platform/errors.ts'
import type { ReadCourse } from './course-task.ts'

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
export type CourseReader = {
  /** @throws badRequest for a file that is no course; unavailable when too many files wait */
  read(bytes: Uint8Array): Promise<Exclude<ReadCourse, { problem: string }>>
  close(): Promise<void>
}

export function createCourseReader(): CourseReader {
  const pool = new Piscina<Uint8Array, ReadCourse>({
    filename: new URL('./course-worker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    maxQueue: MAX_WAITING,
    idleTimeout: IDLE_MS,
    recordTiming: false,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  })
  return {
    async read(bytes) {
      if (pool.queueSize >= MAX_WAITING) throw tooManyCourses()
      const read = await pool.run(bytes, { name: 'readCourse', signal: AbortSignal.timeout(TIME_LIMIT_MS) })
      if ('problem' in read) {
        const message = read.problem
        throw badRequest({ detail: `The course ${message}.`, errors: [{ path: '', message }] })
      }
      return read
    },
    async close() {
      await pool.close()
    },
  }
}

function tooManyCourses() {
  return unavailable({
    detail: 'Too many courses are being read at once. Try again shortly.',
    headers: { 'retry-after': '5' },
  })
}
