import type { PointRange } from './cut-batches.ts'

/** What may happen to an attempt: the server has acted and nobody hears of it, or it gets half of the request. */
export type Loss = 'answer lost' | 'cut off'

/** How a request differs from what a phone with a good connection sends. */
export type Oddity = 'after a time offline' | 'overlapping' | 'twice' | 'late'

/** One request of points, in the order in which they are sent. */
export type PlannedRequest = PointRange & {
  /** When it is sent, in milliseconds of playing time. */
  dueMs: number
  oddities: readonly Oddity[]
  /** What happens to the first attempts; the one after them succeeds. */
  losses: readonly Loss[]
}
