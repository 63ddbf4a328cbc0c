import { type AppendPlan, type AppendTask, planAppends } from '../chunks/chunk-plan.ts'

/** Plans late points in a worker thread. The pool calls it. */
export function runAppend(task: AppendTask): AppendPlan {
  return planAppends(task)
}
