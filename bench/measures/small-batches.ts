import { type Figure, median, ms, perSecond, quantile } from '../figure.ts'
import { keepBusy, type Load } from '../keep-busy.ts'
import { type PointsRequest, pointsRequest } from '../points-request.ts'
import { createTracks, type Target } from '../target.ts'
import { WALK_START_MS, walk } from '../walk.ts'

const CONNECTIONS = 32
const TRACKS = 512
const POINTS = 10

type Contender = { name: string; goal: string; target: Target; nextRequest(connection: number): Buffer; loads: Load[] }

export type SmallBatchOptions = { bare: Target; rows: Target; rounds: number; durationMs: number }

/**
 * Measures batches of 10 points over 32 kept-alive connections. In each round the servers take turns, so that other load
 * affects all of them equally. Ratios are within one round; the first round warms up.
 */
export async function measureSmallBatches(server: Target, options: SmallBatchOptions): Promise<Figure[]> {
  const { bare, rows, rounds, durationMs } = options
  const many = await createTracks(server, 'many', TRACKS)
  const one = await createTracks(server, 'one', 1)
  const goal = 'at least 0.35, aim 0.6'
  const contenders = [
    contender({ name: 'bare node:http server', goal: '', target: bare }, many),
    contender({ name: '512 tracks', goal, target: server }, many),
    contender({ name: 'a single track', goal, target: server }, one),
    contender(
      { name: '512 tracks, one row per point in SQLite', goal: '', target: rows },
      many.map((_, i) => String(i + 2)),
    ),
  ]
  for (let round = 0; round <= rounds; round++) {
    for (const { target, nextRequest, loads } of contenders) {
      const load = await keepBusy(target, { connections: CONNECTIONS, durationMs, nextRequest })
      if (round > 0) loads.push(load)
    }
  }
  return contenders.map((each) => figure(each, contenders[0]))
}

function contender(about: Pick<Contender, 'name' | 'goal' | 'target'>, trackIds: readonly string[]): Contender {
  const requests = Array.from({ length: CONNECTIONS }, (_, i) => requestsOf(about.target, trackIds, i))
  const turns = Array<number>(CONNECTIONS).fill(0)
  let startMs = WALK_START_MS
  return {
    ...about,
    loads: [],
    nextRequest(connection) {
      const own = requests[connection]
      const request = own[turns[connection]++ % own.length]
      request.moveTo(startMs)
      startMs += POINTS * 1000
      return request.bytes
    },
  }
}

/** Gives each connection its own tracks, as phones have. A single track is shared by all of them. */
function requestsOf(target: Target, trackIds: readonly string[], connection: number): PointsRequest[] {
  const own = trackIds.length === 1 ? trackIds : trackIds.filter((_, i) => i % CONNECTIONS === connection)
  return own.map((id, i) => pointsRequest(target, id, walk(POINTS, connection * TRACKS + i)))
}

function figure({ name, goal, loads }: Contender, base: Contender): Figure {
  const ratio = median(loads.map((load, i) => load.requestsPerSec / base.loads[i].requestsPerSec))
  const p50 = median(loads.map(({ latenciesMs }) => quantile(latenciesMs, 0.5)))
  const p99 = median(loads.map(({ latenciesMs }) => quantile(latenciesMs, 0.99)))
  const rate = perSecond(median(loads.map(({ requestsPerSec }) => requestsPerSec)))
  return {
    what: `batches of 10 points over 32 connections: ${name}`,
    measured: `${rate}${base.name === name ? '' : `, ${ratio.toFixed(2)} of the bare server`}`,
    beside: `median ${ms(p50)}, p99 ${ms(p99)}`,
    target: goal,
  }
}
