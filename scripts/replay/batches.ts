/** Maximum number of points in one request to the service. */
export const MAX_POINTS_PER_REQUEST = 10_000

/** A range of a track's points by index: from `from` inclusive to `to` exclusive. */
export type PointRange = { from: number; to: number }

/**
 * Cuts points, given by their times in ascending order, into batches: spans of `batchMs` from the first point on, with
 * at most `maxPoints`. Points with the same time stay together if possible, because copies of a point count within a
 * request but are a repetition across requests.
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

/** Moves the end back so that points with the same time stay together, unless the batch would become empty. */
function beforeSameTime(timesMs: readonly number[], from: number, to: number): number {
  let end = to
  while (end > from && timesMs[end] === timesMs[end - 1]) end--
  return end === from ? to : end
}

/** Fault of an attempt: the response is lost after the server has acted, or only half of the request arrives. */
export type Loss = 'answer lost' | 'cut off'

/** The difference of a request from one over a good connection. */
export type Oddity = 'after a time offline' | 'overlapping' | 'twice' | 'late'

/** A request with points; requests are in sending order. */
export type PlannedRequest = PointRange & {
  /** Sending time, in milliseconds of playing time. */
  dueMs: number
  oddities: readonly Oddity[]
  /** Faults of the first attempts. The attempt after them succeeds. */
  losses: readonly Loss[]
}
