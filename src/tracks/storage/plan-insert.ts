import type { Transaction } from 'kysely'
import { planAppend } from '../chunks/chunk-plan.ts'
import type { PointColumns } from '../points/point-columns.ts'
import { findOverlapping } from './chunks-store.ts'
import type { TracksTables } from './tables.ts'

/** The changes that store new points of one track, in a transaction that has not written them yet. */
export type InsertPlan = {
  trackId: string
  /** Time of the latest point, planned ones included; null without points. */
  lastMs: number | null
  addedCount: number
  /** First times of the stored chunks to remove. */
  removed: number[]
  /** Points that become new chunks, none overlapping another chunk. */
  fresh: PointColumns[]
}

/**
 * Adds the points of one more request to a plan. Points later than all others, the usual case, need no reading. Only
 * chunks whose times they overlap are loaded, to tell stored points from new ones.
 */
export async function planInsert(
  transaction: Transaction<TracksTables>,
  before: InsertPlan,
  points: PointColumns,
): Promise<InsertPlan> {
  const firstMs = points.timeMs[0]
  const lastMs = points.timeMs[points.count - 1]
  if (before.lastMs === null || firstMs > before.lastMs) {
    return { ...before, lastMs, addedCount: before.addedCount + points.count, fresh: [...before.fresh, points] }
  }
  const stored = await findOverlapping(transaction, before.trackId, firstMs, lastMs)
  const kept = stored.filter((chunk) => !before.removed.includes(chunk.firstMs))
  const touched = before.fresh.filter((chunk) => chunk.timeMs[0] <= lastMs && chunk.timeMs[chunk.count - 1] >= firstMs)
  const existing = [...kept, ...touched.map(withRange)].sort((a, b) => a.firstMs - b.firstMs)
  const plan = planAppend(existing, points)
  const gone = new Set(plan.remove)
  return {
    trackId: before.trackId,
    lastMs: Math.max(before.lastMs, lastMs),
    addedCount: before.addedCount + plan.addedCount,
    removed: [...before.removed, ...kept.map((chunk) => chunk.firstMs).filter((first) => gone.has(first))],
    fresh: [...before.fresh.filter((chunk) => !(touched.includes(chunk) && gone.has(chunk.timeMs[0]))), ...plan.insert],
  }
}

function withRange(points: PointColumns) {
  return { firstMs: points.timeMs[0], lastMs: points.timeMs[points.count - 1], points }
}
