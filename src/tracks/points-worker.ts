import { readPhoneBatch } from './phones/phone-formats.ts'
import { mergeChunks } from './points/chunks/chunk-codec.ts'
import { type BodyTask, type PointsBody, readPoints, readSync, runBodyTask, scanLong } from './points/json/read-body.ts'
import { followTracks } from './race/follow-task.ts'
import {
  computeTrackFigures,
  encodeEventHeights,
  readEndsOfTracks,
  readHeightsAlong,
  readTilesUnder,
  readTimesOfChunks,
  writeProfile,
  writeReplayLines,
} from './statistics/points-tasks.ts'
import { warmUp } from './statistics/warm-up.ts'

/** Computations with the points of tracks, by kind. */
const TASKS = {
  'warm-up': warmUp,
  statistics: computeTrackFigures,
  profile: writeProfile,
  replay: writeReplayLines,
  follow: followTracks,
  'heights-along': readHeightsAlong,
  'event-heights': encodeEventHeights,
  'tiles-under': readTilesUnder,
  merge: ({ chunks }: { chunks: Uint8Array[] }) => mergeChunks(chunks),
  times: readTimesOfChunks,
  tails: readEndsOfTracks,
}

/** Runs one computation in a worker thread. The pool calls it. */
export function runTask({ kind, task }: { kind: keyof typeof TASKS; task: never }) {
  return TASKS[kind](task)
}

/** Functions that read bodies, by kind. Short bodies were scanned before. */
const READERS = {
  points: (sent: PointsBody) => readPoints(sent, scanLong(sent)),
  sync: (sent: PointsBody) => readSync(sent, scanLong(sent)),
  phone: readPhoneBatch,
}

/** Reads one body in a worker thread. The pool calls it. */
export function readBody(task: BodyTask) {
  return runBodyTask(task, READERS)
}
