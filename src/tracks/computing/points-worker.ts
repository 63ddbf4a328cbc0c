import { mergeChunks } from '../chunks/merge-chunks.ts'
import { computeTrackStatistics, type MergeTask, type StatisticsTask, type WarmUpTask } from './points-task.ts'
import { warmUp } from './warm-up.ts'

/** Runs one task in a thread of its own; the pool calls it. */
export function runTask(task: StatisticsTask | MergeTask | WarmUpTask) {
  if (task.kind === 'warm-up') return warmUp()
  return task.kind === 'statistics' ? computeTrackStatistics(task) : mergeChunks(task.chunks)
}
