import { decodeChunk } from '../chunks/chunk-codec.ts'
import type { Pause } from '../domain/pauses.ts'
import type { PointColumns } from '../points/point-columns.ts'
import { concatColumns } from '../points/point-set.ts'
import { computeStatistics, type StatisticsSettings, type TrackStatistics } from '../statistics/statistics.ts'
import { type Abandonment, throwIfAbandoned } from './abandonment.ts'

/** The encoded chunks of a track, in time order, and what else its statistics depend on. */
export type TrackPoints = {
  chunks: Uint8Array[]
  pauses: readonly Pause[]
  settings: StatisticsSettings
  /** Ends the task early. */
  abandonment?: Abandonment
}

/** A task that is too long for the thread that answers requests. */
export type StatisticsTask = TrackPoints & { kind: 'statistics' }
export type MergeTask = { kind: 'merge'; chunks: Uint8Array[] }
/** Runs the code a few times, which makes it several times as fast. */
export type WarmUpTask = { kind: 'warm-up' }

/** Computes the statistics of a track. @throws ChunkDamagedError */
export function computeTrackStatistics(task: TrackPoints): TrackStatistics {
  return computeStatistics(decodeTrack(task), task.pauses, task.settings)
}

/** Decodes all points of a track. @throws ChunkDamagedError; Error if the task is abandoned */
export function decodeTrack({ chunks, abandonment }: TrackPoints): PointColumns {
  return concatColumns(
    chunks.map((chunk) => {
      throwIfAbandoned(abandonment)
      return decodeChunk(chunk)
    }),
  )
}
