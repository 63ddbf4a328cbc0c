import type { Pause } from '../domain/pauses.ts'
import { computeStatistics, type StatisticsSettings, type TrackStatistics } from '../domain/statistics.ts'
import { decodeChunk, encodeChunk } from '../points/chunk-codec.ts'
import { MAX_CHUNK_POINTS, splitIntoChunks } from '../points/chunk-plan.ts'
import { concatColumns } from '../points/point-set.ts'

/** Statistics of the chunks of a track, in time order. */
export type StatisticsTask = {
  kind: 'statistics'
  chunks: Uint8Array[]
  pauses: readonly Pause[]
  settings: StatisticsSettings
}

/** Makes few large chunks of many small ones that follow each other in time. */
export type MergeTask = { kind: 'merge'; chunks: Uint8Array[] }
export type MergedChunk = { firstMs: number; lastMs: number; count: number; bytes: Uint8Array }

/** What both need no database for and is too long for the thread that answers requests. */
export function computeTrackStatistics({ chunks, pauses, settings }: Omit<StatisticsTask, 'kind'>): TrackStatistics {
  return computeStatistics(concatColumns(chunks.map(decodeChunk)), pauses, settings)
}

export function mergeChunks({ chunks }: Omit<MergeTask, 'kind'>): MergedChunk[] {
  return splitIntoChunks(concatColumns(chunks.map(decodeChunk)), MAX_CHUNK_POINTS).map((points) => ({
    firstMs: points.timeMs[0],
    lastMs: points.timeMs[points.count - 1],
    count: points.count,
    bytes: encodeChunk(points, 'small'),
  }))
}
