import { type BodyTask, runBodyTask } from './body-task.ts'

/** Reads one body in a worker thread. The pool calls it. */
export function readBody(task: BodyTask) {
  return runBodyTask(task)
}
