import type { PostgresSpent } from '../program/postgres-time.ts'
import type { SpentTime } from '../program/processor-time.ts'
import type { Target } from '../program/target.ts'
import type { Load } from './keep-busy.ts'
import { type PointsRequest, pointsRequest } from './points-request.ts'
import { WALK_START_MS, walk } from './walk.ts'

export const CONNECTIONS = 32
export const POINTS_PER_BATCH = 10

/** Work of a server within one round. */
export type Round = { load: Load; spent: SpentTime; postgres: PostgresSpent | undefined }

/** A server that takes turns with others, and what it has done in each round. */
export type Contender = { name: string; target: Target; nextRequest(connection: number): Buffer; rounds: Round[] }

/** Time of the next batch. Every batch of a run is later than all before, as those of phones are. */
let nextStartMs = WALK_START_MS

/** Returns a contender that receives batches of ten points, each later than all before. */
export function contender(name: string, target: Target, trackIds: readonly string[]): Contender {
  const requests = Array.from({ length: CONNECTIONS }, (_, i) => requestsOf(target, trackIds, i))
  const turns = Array<number>(CONNECTIONS).fill(0)
  return {
    name,
    target,
    rounds: [],
    nextRequest(connection) {
      const own = requests[connection]
      const request = own[turns[connection]++ % own.length]
      request.moveTo(nextStartMs)
      nextStartMs += POINTS_PER_BATCH * 1000
      return request.bytes
    },
  }
}

/** Gives each connection its own tracks, as phones have. Fewer tracks than connections are shared by all of them. */
function requestsOf(target: Target, trackIds: readonly string[], connection: number): PointsRequest[] {
  const own = trackIds.length < CONNECTIONS ? trackIds : trackIds.filter((_, i) => i % CONNECTIONS === connection)
  return own.map((id, i) => pointsRequest(target, id, walk(POINTS_PER_BATCH, connection * 1000 + i)))
}
