import { mergeChunks } from '../chunks/merge-chunks.ts'
import { computeTrackStatistics, type MergeTask, type StatisticsTask, type WarmUpTask } from './points-task.ts'
import { type ProfileTask, writeProfile } from './profile-task.ts'
import { warmUp } from './warm-up.ts'

/** Runs one task in a worker thread. The pool calls it. */
export function runTask(task: StatisticsTask | MergeTask | ProfileTask | WarmUpTask) {
  switch (task.kind) {
    case 'warm-up':
      return warmUp()
    case 'statistics':
      return computeTrackStatistics(task)
    case 'profile':
      return writeProfile(task)
    case 'merge':
      return mergeChunks(task.chunks)
  }
}
