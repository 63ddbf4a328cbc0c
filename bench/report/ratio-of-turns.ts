import { randomNumbers } from '../../test/support/random-choices.ts'

/** A ratio, and the interval that holds it with a probability of 95 %. */
export type Ratio = { value: number; low: number; high: number }

/** Samples of two states that take turns: a pair for each turn. */
export type Turn = { with: Float64Array; without: Float64Array }

const RESAMPLES = 500
const SEED = 1

/**
 * Returns the ratio of a statistic of all samples with something to that of all samples without it. The interval is
 * that of the bootstrap over turns: whatever else happens on the machine meets both halves of a turn, and lasts longer
 * than a sample.
 */
export function ratioOfTurns(turns: readonly Turn[], statistic: (samples: Float64Array) => number): Ratio {
  const ratioOf = (some: readonly Turn[]) =>
    statistic(joined(some.map((turn) => turn.with))) / statistic(joined(some.map((turn) => turn.without)))
  const random = randomNumbers(SEED)
  const ratios = Float64Array.from({ length: RESAMPLES }, () =>
    ratioOf(turns.map(() => turns[Math.floor(random() * turns.length)])),
  ).sort()
  return {
    value: ratioOf(turns),
    low: ratios[Math.floor(RESAMPLES * 0.025)],
    high: ratios[Math.ceil(RESAMPLES * 0.975) - 1],
  }
}

/** Describes an interval beside a figure. */
export function intervalText({ low, high }: Ratio, turns: number): string {
  return `95 % interval ${low.toFixed(2)} to ${high.toFixed(2)}, ${turns} turns`
}

function joined(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
