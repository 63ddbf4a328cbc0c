import type { PointColumns } from '../points/point-columns.ts'

/** The points of one request, at least one and in canonical order, and their track. */
export type AppendRequest = { eventId: string; trackId: string; points: PointColumns }

/** The result of an append. Points that were not added were stored before. */
export type AppendReceipt = { addedCount: number; uncompactedChunks: number }

/** A request that waits for its points to be stored. */
export type WaitingAppend = AppendRequest & { resolve(receipt: AppendReceipt): void; reject(error: unknown): void }
