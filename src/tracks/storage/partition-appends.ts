import type { AppendRequest } from './insert-overlapping.ts'
import type { TrackEnd } from './track-end-cache.ts'

/** Requests whose points go to the end of one track: in the order of time, none overlapping another. */
export type TailAppend<Request extends AppendRequest> = { end: TrackEnd; requests: Request[] }

/** Requests by what storing their points takes. */
export type PartitionedAppends<Request extends AppendRequest> = {
  /** Their track is unknown, or of another event. */
  unknown: Request[]
  /** Their points come after all that their track has. */
  latest: TailAppend<Request>[]
  /** Some of their points may be known already, or lie between others. */
  others: Request[]
}

/** Tells requests whose points come after all others of their track from the rest. */
export function partitionAppends<Request extends AppendRequest>(
  requests: readonly Request[],
  ends: ReadonlyMap<string, TrackEnd>,
): PartitionedAppends<Request> {
  const sorted: PartitionedAppends<Request> = { unknown: [], latest: [], others: [] }
  const ofTrack = new Map<string, TailAppend<Request>>()
  for (const request of [...requests].sort(byFirstTime)) {
    const end = ends.get(request.trackId)
    if (end === undefined || end.event_id !== request.eventId) {
      sorted.unknown.push(request)
      continue
    }
    const before = ofTrack.get(end.id)
    if (!isAfter(request, before?.requests.at(-1), end)) sorted.others.push(request)
    else if (before === undefined) ofTrack.set(end.id, { end, requests: [request] })
    else before.requests.push(request)
  }
  // Transactions that lock tracks in one order never wait for each other in a circle.
  sorted.latest.push(...[...ofTrack.values()].sort((a, b) => (a.end.id < b.end.id ? -1 : 1)))
  return sorted
}

function byFirstTime(a: AppendRequest, b: AppendRequest): number {
  return a.points.timeMs[0] - b.points.timeMs[0]
}

function isAfter({ points }: AppendRequest, previous: AppendRequest | undefined, end: TrackEnd): boolean {
  const lastMs = previous === undefined ? end.last_point_ms : previous.points.timeMs[previous.points.count - 1]
  return lastMs === null || points.timeMs[0] > lastMs
}
