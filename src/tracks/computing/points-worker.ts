import { mergeChunks } from '../chunks/merge-chunks.ts'
import { computeTrackStatistics, type MergeTask, type StatisticsTask } from './points-task.ts'

/** Runs one task in a thread of its own; the pool calls it. */
export function runTask(task: StatisticsTask | MergeTask) {
  return task.kind === 'statistics' ? computeTrackStatistics(task) : mergeChunks(task.chunks)
}
