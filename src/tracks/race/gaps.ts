/** A silence of the recording. */
export type Gap = {
  fromMs: number
  toMs: number
  /** Metres that may have been run in it, beside the straight line between its positions. */
  unseenM: number
}

type Place = { timeMs: number; x: number; y: number }

/** Silence after which a runner may have run further than the straight line between two positions. */
const GAP_SEC = 20
/** Gaps of a track that are kept. Most recordings have fewer that last. */
const MAX_GAPS = 16

/** Returns the gap between two positions of a runner; undefined if nothing was run unseen. */
export function gapBetween(from: Place, to: Place, maxSpeedMps: number): Gap | undefined {
  const gapSec = (to.timeMs - from.timeMs) / 1000
  if (gapSec <= GAP_SEC) return undefined
  const unseenM = (gapSec * maxSpeedMps) / 2 - Math.hypot(to.x - from.x, to.y - from.y)
  return unseenM > 0 ? { fromMs: from.timeMs, toMs: to.timeMs, unseenM } : undefined
}

/** Returns gaps with another one. Of many, those are kept in which most may have been run. */
export function addGap(gaps: readonly Gap[], gap: Gap): Gap[] {
  const all = [...gaps, gap]
  if (all.length <= MAX_GAPS) return all
  const least = all.reduce((one, other) => (other.unseenM < one.unseenM ? other : one))
  return all.filter((one) => one !== least)
}

/**
 * Returns the metres that may have been run unseen before a time, in the gaps that ended by a later one. Of a gap
 * around that time, as large a part is before it as of its duration.
 */
export function unseenBefore(gaps: readonly Gap[], timeMs: number, endedByMs: number): number {
  let unseenM = 0
  for (const gap of gaps) {
    if (gap.fromMs >= timeMs || gap.toMs > endedByMs) continue
    unseenM += (gap.unseenM * (Math.min(gap.toMs, timeMs) - gap.fromMs)) / (gap.toMs - gap.fromMs)
  }
  return unseenM
}
