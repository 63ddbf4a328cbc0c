import { mergeChunks } from '../chunks/merge-chunks.ts'
import { type FollowTask, followTracks } from './follow-task.ts'
import {
  computeTrackFigures,
  type MergeTask,
  readEndsOfTracks,
  readTimesOfChunks,
  type StatisticsTask,
  type TailsTask,
  type TimesTask,
  type WarmUpTask,
} from './points-task.ts'
import { type ProfileTask, writeProfile } from './profile-task.ts'
import { type ReplayTask, writeReplayLines } from './replay-task.ts'
import { warmUp } from './warm-up.ts'

type Task = StatisticsTask | MergeTask | TimesTask | TailsTask | ProfileTask | ReplayTask | FollowTask | WarmUpTask

/** Runs one task in a worker thread. The pool calls it. */
export function runTask(task: Task) {
  switch (task.kind) {
    case 'warm-up':
      return warmUp()
    case 'statistics':
      return computeTrackFigures(task)
    case 'profile':
      return writeProfile(task)
    case 'replay':
      return writeReplayLines(task)
    case 'follow':
      return followTracks(task)
    case 'merge':
      return mergeChunks(task.chunks)
    case 'times':
      return readTimesOfChunks(task)
    case 'tails':
      return readEndsOfTracks(task)
  }
}
