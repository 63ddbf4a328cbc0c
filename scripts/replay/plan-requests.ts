import { cutBatches } from './cut-batches.ts'
import { lossyPlan } from './lossy-plan.ts'
import type { PlannedRequest } from './planned-request.ts'
import { playingTimes } from './playing-times.ts'
import type { ReplayOptions } from './read-arguments.ts'
import { seededRandom } from './seeded-random.ts'

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
  return isLossy ? lossyPlan(plan, seededRandom(seed)) : plan
}
