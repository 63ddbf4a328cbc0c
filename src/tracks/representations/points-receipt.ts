import type { RejectedPoints } from '../points/check-leniently.ts'
import type { PointsReceipt } from '../schemas/receipt.ts'

/** Returns the receipt for `validCount` points, of which `storedCount` were new, and for those left out. */
export function pointsReceipt(validCount: number, storedCount: number, rejected: RejectedPoints): PointsReceipt {
  return {
    received: validCount + rejected.count,
    stored: storedCount,
    known: validCount - storedCount,
    rejected: rejected.listed,
    rejected_count: rejected.count,
  }
}
