import type { PointRange } from './cut-batches.ts'

/** Fault of an attempt: the response is lost after the server has acted, or only half of the request arrives. */
export type Loss = 'answer lost' | 'cut off'

/** The difference of a request from one over a good connection. */
export type Oddity = 'after a time offline' | 'overlapping' | 'twice' | 'late'

/** A request with points; requests are in sending order. */
export type PlannedRequest = PointRange & {
  /** Sending time, in milliseconds of playing time. */
  dueMs: number
  oddities: readonly Oddity[]
  /** Faults of the first attempts. The attempt after them succeeds. */
  losses: readonly Loss[]
}
