/** The service takes no more points in one request. */
export const MAX_POINTS_PER_REQUEST = 10_000

/** Points of a track by their indexes: from `from` up to, but without, `to`. */
export type PointRange = { from: number; to: number }

/**
 * Cuts points, given by their times in ascending order, into what is sent together: spans of `batchMs` from the first
 * point on, of at most `maxPoints`. Points of the same time stay together wherever that is possible, because copies of
 * one point are counted within a request; between requests they are taken for a repetition.
 */
export function cutBatches(
  timesMs: readonly number[],
  batchMs: number,
  maxPoints = MAX_POINTS_PER_REQUEST,
): PointRange[] {
  const spanOf = (index: number) => Math.floor((timesMs[index] - timesMs[0]) / batchMs)
  const batches: PointRange[] = []
  for (let from = 0; from < timesMs.length; from = batches[batches.length - 1].to) {
    let to = from + 1
    while (to < timesMs.length && to - from < maxPoints && spanOf(to) === spanOf(from)) to++
    batches.push({ from, to: beforeSameTime(timesMs, from, to) })
  }
  return batches
}

/** The end moved back so that it does not part points of the same time, unless nothing else would be left. */
function beforeSameTime(timesMs: readonly number[], from: number, to: number): number {
  let end = to
  while (end > from && timesMs[end] === timesMs[end - 1]) end--
  return end === from ? to : end
}
