import type { PlannedRequest } from './planned-request.ts'
import type { ProgressState } from './progress-line.ts'
import { countOf, formatCount } from './quantities.ts'
import type { ResendReason } from './track-client.ts'

/** Reports the delivery of the points: the number of requests, the reasons for retries, and other problems. */
export function deliveryReport(
  { points, requests, resends, elapsedSec }: ProgressState,
  reasons: ReadonlyMap<ResendReason, number>,
  plan: readonly PlannedRequest[],
): string {
  const oddities = countBy(plan.flatMap((request) => request.oddities))
  const lines = [
    `Delivered ${countOf(points, 'point')} in ${countOf(requests, 'request')} within ${elapsedSec.toFixed(1)} s.`,
  ]
  if (resends > 0) lines.push(`Sent again: ${formatCount(resends)} (${listed(reasons)}).`)
  if (oddities.size > 0) lines.push(`Among them: ${listed(oddities)}.`)
  return lines.join('\n')
}

function countBy<Word extends string>(words: readonly Word[]): Map<Word, number> {
  const counts = new Map<Word, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

function listed(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([word, count]) => `${formatCount(count)} × ${word}`).join(', ')
}
