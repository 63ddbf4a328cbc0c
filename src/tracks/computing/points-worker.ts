import { mergeChunks } from '../chunks/merge-chunks.ts'
import {
  computeTrackSeries,
  computeTrackSplits,
  computeTrackStatistics,
  findRawPoints,
  type MergeTask,
  type RawPointsTask,
  type SeriesTask,
  type SplitsTask,
  type StatisticsTask,
  type WarmUpTask,
} from './points-task.ts'
import { warmUp } from './warm-up.ts'

/** Runs one task in a worker thread. The pool calls it. */
export function runTask(task: StatisticsTask | MergeTask | SeriesTask | SplitsTask | RawPointsTask | WarmUpTask) {
  switch (task.kind) {
    case 'warm-up':
      return warmUp()
    case 'statistics':
      return computeTrackStatistics(task)
    case 'series':
      return computeTrackSeries(task)
    case 'splits':
      return computeTrackSplits(task)
    case 'raw-points':
      return findRawPoints(task)
    case 'merge':
      return mergeChunks(task.chunks)
  }
}
