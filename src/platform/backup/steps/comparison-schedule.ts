import { hash } from 'node:crypto'

const DAY_MS = 86_400_000
/** Each file is read and compared again after this time, and at most this much later: not all on the same day. */
const COMPARED_AFTER_MS = 14 * DAY_MS
const SPREAD_MS = 14 * DAY_MS

/**
 * Tells whether a file has to be read and compared with its copy, which was last done at `comparedMs`. A time that is
 * yet to come is that of a clock that was wrong.
 */
export function isDueForComparison(key: string, comparedMs: number | null, nowMs: number): boolean {
  if (comparedMs === null || comparedMs > nowMs) return true
  const share = hash('sha256', key, 'buffer').readUInt32BE() / 2 ** 32
  return nowMs - comparedMs >= COMPARED_AFTER_MS + share * SPREAD_MS
}
