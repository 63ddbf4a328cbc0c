import { isPaced } from '../i18n/format.ts'

/** Paces in seconds for a kilometre or a mile that a runner reads at a glance. */
const PACES = [120, 150, 180, 210, 240, 270, 300, 360, 420, 480, 540, 600, 720, 900, 1200, 1800, 3600]

/** Labels of an axis need this part of its length between them. */
const LABEL_SHARE = 0.17

/** The ends of a scale of speeds in metres per second. */
type RateRange = { from: number; to: number }

/**
 * Returns the scale for speeds. It contains the fastest. On foot it begins at half the median, because a standstill
 * would take most of the room from the paces.
 */
export function rateRange(activityType: string, speeds: readonly (number | null)[]): RateRange {
  const known = speeds.filter((mps) => mps !== null).sort((a, b) => a - b)
  const fastest = known.at(-1) ?? 0
  const median = known[known.length >> 1] ?? 0
  return { from: isPaced(activityType) ? median / 2 : 0, to: Math.max(fastest * 1.15, 0.5) }
}

/** Returns the speeds, in metres per second, whose paces label an axis, the fastest first and none too near another. */
export function paceTicks({ from, to }: RateRange, metersPerFar: number): number[] {
  const ticks: number[] = []
  for (const sec of PACES) {
    const mps = metersPerFar / sec
    if (mps > to || mps < from) continue
    if (ticks.length === 0 || ticks[ticks.length - 1] - mps >= (to - from) * LABEL_SHARE) ticks.push(mps)
  }
  return ticks.reverse()
}
