import { isInScope } from '../track-scope.ts'
import { type AppendRequest, MAX_POINTS_PER_TRACK } from './append-request.ts'
import type { TrackEnd } from './track-end-cache.ts'

/** Requests that append to the end of one track: in time order, none overlapping another. */
export type TailAppend<Request extends AppendRequest> = { end: TrackEnd; requests: Request[] }

/** Requests grouped by how their points are stored. */
type PartitionedAppends<Request extends AppendRequest> = {
  /** The track does not exist, or is outside the scope of the request. */
  unknown: Request[]
  /** All points are later than those of the track, which has room for them. */
  tail: TailAppend<Request>[]
  /** Some points may be stored already, lie between stored ones, or be more than the track can have. */
  overlapping: Request[]
}

/** Separates requests whose points are later than all others of their track from the rest. */
export function partitionAppends<Request extends AppendRequest>(
  requests: readonly Request[],
  ends: ReadonlyMap<string, TrackEnd>,
): PartitionedAppends<Request> {
  const partitioned: PartitionedAppends<Request> = { unknown: [], tail: [], overlapping: [] }
  const ofTrack = new Map<string, TailAppend<Request>>()
  for (const request of [...requests].sort(byFirstTime)) {
    const end = ends.get(request.trackId)
    if (end === undefined || !isInScope(end, request.scope)) {
      partitioned.unknown.push(request)
      continue
    }
    const before = ofTrack.get(end.id)
    if (!isForTail(request, before?.requests.at(-1), end)) partitioned.overlapping.push(request)
    else if (before === undefined) ofTrack.set(end.id, { end, requests: [request] })
    else before.requests.push(request)
  }
  // Transactions that lock tracks in the same order never deadlock.
  partitioned.tail.push(...[...ofTrack.values()].sort((a, b) => (a.end.id < b.end.id ? -1 : 1)))
  return partitioned
}

function byFirstTime(a: AppendRequest, b: AppendRequest): number {
  return a.points.timeMs[0] - b.points.timeMs[0]
}

function isForTail({ points }: AppendRequest, previous: AppendRequest | undefined, end: TrackEnd): boolean {
  if (end.point_count >= MAX_POINTS_PER_TRACK) return false
  const lastMs = previous === undefined ? end.last_point_ms : previous.points.timeMs[previous.points.count - 1]
  return lastMs === null || points.timeMs[0] > lastMs
}
