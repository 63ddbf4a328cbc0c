import { Connection } from '../connection.ts'
import { type Figure, median, ms } from '../figure.ts'
import { pointsRequest } from '../points-request.ts'
import { createTrack, type Target } from '../target.ts'
import { WALK_START_MS, walk } from '../walk.ts'

const POINTS = 10_000
const WARM_UP_ROUNDS = 3

/** Measures 10,000 points in one request, compared with parsing its body and with one row per point. */
export async function measureLargeBatch(server: Target, rows: Target, rounds: number): Promise<Figure[]> {
  const ours = await openSender(server, await createTrack(server, 'large batch'))
  const theirs = await openSender(rows, '1')
  const took: { parseMs: number; oursMs: number; theirsMs: number }[] = []
  for (let round = 0; round < WARM_UP_ROUNDS + rounds; round++) {
    const startMs = WALK_START_MS + round * POINTS * 1000
    const oursMs = await ours.send(startMs)
    const parseMs = timeParsing(ours.body())
    took.push({ parseMs, oursMs, theirsMs: await theirs.send(startMs) })
  }
  ours.close()
  theirs.close()
  const measured = took.slice(WARM_UP_ROUNDS)
  const parseMs = median(measured.map((round) => round.parseMs))
  const oursMs = median(measured.map((round) => round.oursMs))
  const theirsMs = median(measured.map((round) => round.theirsMs))
  return [
    {
      what: '10,000 points in one request (1.8 MB)',
      measured: `${ms(oursMs)}, ${(oursMs / parseMs).toFixed(2)}x`,
      beside: `JSON.parse of the body: ${ms(parseMs)}`,
      target: 'at most 3x, aim 1.5x',
    },
    {
      what: 'the same with one row per point in SQLite',
      measured: `${ms(theirsMs)}, ${(theirsMs / oursMs).toFixed(1)} times as long`,
      beside: '',
      target: '',
    },
  ]
}

async function openSender(target: Target, trackId: string) {
  const connection = await Connection.open(target.url)
  const request = pointsRequest(target, trackId, walk(POINTS, 1))
  return {
    async send(startMs: number): Promise<number> {
      request.moveTo(startMs)
      const beganMs = performance.now()
      const { status } = await connection.exchange(request.bytes)
      if (status !== 204) throw new Error(`${target.name} answered ${status}`)
      return performance.now() - beganMs
    },
    body: () => request.bytes.toString('utf8', request.bodyAt),
    close: () => connection.close(),
  }
}

function timeParsing(body: string): number {
  const startMs = performance.now()
  JSON.parse(body)
  return performance.now() - startMs
}
