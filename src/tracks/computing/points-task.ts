import { decodeChunk } from '../chunks/chunk-codec.ts'
import type { Pause } from '../domain/pauses.ts'
import { computeStatistics, type StatisticsSettings, type TrackStatistics } from '../domain/statistics.ts'
import { concatColumns } from '../points/point-set.ts'

/** Work on the coded chunks of a track, in time order, that is too long for the thread that answers requests. */
export type StatisticsTask = {
  kind: 'statistics'
  chunks: Uint8Array[]
  pauses: readonly Pause[]
  settings: StatisticsSettings
}
export type MergeTask = { kind: 'merge'; chunks: Uint8Array[] }
/** Nothing but the code itself: done a few times, it runs several times as fast. */
export type WarmUpTask = { kind: 'warm-up' }

/** The statistics of the points that the chunks hold. @throws ChunkDamagedError */
export function computeTrackStatistics({ chunks, pauses, settings }: Omit<StatisticsTask, 'kind'>): TrackStatistics {
  return computeStatistics(concatColumns(chunks.map(decodeChunk)), pauses, settings)
}
