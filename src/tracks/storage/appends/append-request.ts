import type { Span } from '@opentelemetry/api'
import type { PointColumns } from '../../points/point-columns.ts'
import type { TrackScope } from '../track-scope.ts'

/**
 * Most points of a track: eight weeks at one per second. Statistics, exports and maps of a track need all of its points
 * in memory, some 400 MB of them. The count may be a few batches old, so a track can have somewhat more.
 */
export const MAX_POINTS_PER_TRACK = 5_000_000

/** The points of one request, at least one and in canonical order, and their track, which must be in the scope. */
export type AppendRequest = { scope: TrackScope; trackId: string; points: PointColumns }

/** The result of an append. Points that were not added were stored before. */
export type AppendReceipt = { addedCount: number; uncompactedChunks: number }

/** A request that waits for its points to be stored. */
export type WaitingAppend = AppendRequest & {
  /** New points stored so far: late points that span much of a track are stored in several steps, each on its own. */
  addedCount: number
  /** The span in which it waits; undefined without traces. */
  span?: Span | undefined
  resolve(receipt: AppendReceipt): void
  reject(error: unknown): void
}
