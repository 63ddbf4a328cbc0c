import { randomChoices } from '../../test/support/random-choices.ts'
import { cutBatches, type PlannedRequest } from './batches.ts'
import { lossyPlan } from './lossy-plan.ts'
import type { ReplayOptions } from './read-arguments.ts'

/** Plans the requests of a replay from the times of the points in ascending order. Each is sent with its last point. */
export function planRequests(
  timesMs: readonly number[],
  { batchSec, isLossy, seed }: Pick<ReplayOptions, 'batchSec' | 'isLossy' | 'seed'>,
): PlannedRequest[] {
  const playedMs = playingTimes(timesMs)
  const plan = cutBatches(timesMs, batchSec * 1000).map(({ from, to }) => ({
    from,
    to,
    dueMs: playedMs[to - 1],
    oddities: [],
    losses: [],
  }))
  return isLossy ? lossyPlan(plan, randomChoices(seed)) : plan
}

/** Longest gap to play. A longer one, such as a night or a changed clock, is shortened to this. */
const LONGEST_GAP_MS = 60_000

/** Converts times of points, in ascending order, to playing time; both in milliseconds. */
function playingTimes(timesMs: readonly number[]): number[] {
  let playedMs = 0
  return timesMs.map((timeMs, i) => {
    playedMs += i === 0 ? 0 : Math.min(timeMs - timesMs[i - 1], LONGEST_GAP_MS)
    return playedMs
  })
}
