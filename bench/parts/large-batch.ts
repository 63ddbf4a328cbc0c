import { Connection } from '../load/connection.ts'
import { pointsRequest } from '../load/points-request.ts'
import { WALK_START_MS, walk } from '../load/walk.ts'
import { ownProcessorMs, type SpentTime, spentOn } from '../program/processor-time.ts'
import { startRival } from '../program/rival-servers.ts'
import { createTrack, type Target } from '../program/target.ts'
import { type Figure, median } from '../report/figure.ts'
import type { Bench, Part } from './part.ts'

const POINTS = 10_000
const WARM_UP_ROUNDS = 3

type Parsed = { tookMs: number; spentMs: number }
type Sent = { tookMs: number; spent: SpentTime; databaseUs: number }
type Round = { parse: Parsed; ours: Sent; theirs: Sent }

/** 10,000 points in one request, compared with parsing its body and with one row per point. */
export const largeBatch: Part = {
  name: 'large-batch',
  title: '10,000 points in one request (1.8 MB)',
  engines: 'both',
  async *measure(bench) {
    const server = await bench.engine.start()
    const rows = await startRival(bench.engine, bench.folder)
    const ours = await openSender(bench, server, await createTrack(server, 'large batch'))
    const theirs = await openSender(bench, rows, '1')
    const rounds: Round[] = []
    for (let round = 0; round < WARM_UP_ROUNDS + bench.effort.rounds; round++) {
      const startMs = WALK_START_MS + round * POINTS * 1000
      const sent = await ours.send(startMs)
      const parse = timeParsing(ours.body())
      rounds.push({ parse, ours: sent, theirs: await theirs.send(startMs) })
    }
    ours.close()
    theirs.close()
    await Promise.all([server.stop(), rows.stop()])
    yield figures(bench, rows.name, rounds.slice(WARM_UP_ROUNDS))
  },
}

function figures({ engine }: Bench, rival: string, rounds: readonly Round[]): Figure[] {
  const goal = engine.name === 'SQLite' ? { atMost: 2.5, aim: 1.5 } : { atMost: 3, aim: 1.5 }
  const middle = (of: (round: Round) => number) => median(rounds.map(of))
  const spentMs = ({ spent, databaseUs }: Sent) => (spent.totalUs + databaseUs) / 1000
  const threads = (['main', 'computing', 'SQLite writer', 'V8'] as const)
    .map((kind) => `${kind} ${middle(({ ours }) => ours.spent.us(kind) / 1000).toFixed(1)} ms`)
    .join(', ')
  const database = `PostgreSQL ${middle(({ ours }) => ours.databaseUs / 1000).toFixed(1)} ms`
  return [
    {
      what: 'processor time of all threads, of JSON.parse of the body',
      value: middle(({ ours, parse }) => spentMs(ours) / parse.spentMs),
      unit: 'x',
      goal,
      beside: `JSON.parse takes ${middle(({ parse }) => parse.spentMs).toFixed(1)} ms`,
    },
    {
      what: 'until the response, of JSON.parse of the body',
      value: middle(({ ours, parse }) => ours.tookMs / parse.tookMs),
      unit: 'x',
      goal,
      beside: `JSON.parse takes ${middle(({ parse }) => parse.tookMs).toFixed(1)} ms`,
    },
    { what: 'until the response', value: middle(({ ours }) => ours.tookMs), unit: 'ms' },
    {
      what: 'processor time of all threads',
      value: middle(({ ours }) => spentMs(ours)),
      unit: 'ms',
      beside: engine.meter === undefined ? threads : `${threads}, ${database}`,
    },
    { what: `${rival}: until the response`, value: middle(({ theirs }) => theirs.tookMs), unit: 'ms' },
    { what: `${rival}: processor time of all threads`, value: middle(({ theirs }) => spentMs(theirs)), unit: 'ms' },
  ]
}

async function openSender({ engine }: Bench, target: Target, trackId: string) {
  const connection = await Connection.open(target.url)
  const request = pointsRequest(target, trackId, walk(POINTS, 1))
  return {
    async send(startMs: number): Promise<Sent> {
      request.moveTo(startMs)
      let tookMs = 0
      let spent: SpentTime | undefined
      const work = async () => {
        spent = await spentOn(target.pid, async () => {
          const beganMs = performance.now()
          const { status } = await connection.exchange(request.bytes)
          tookMs = performance.now() - beganMs
          if (status !== 204) throw new Error(`${target.name} answered ${status}`)
        })
      }
      if (engine.meter === undefined) await work()
      const database = await engine.meter?.during(work)
      const databaseUs = database === undefined ? 0 : database.backendsUs + database.walWriterUs + database.othersUs
      return { tookMs, spent: spent!, databaseUs }
    },
    body: () => request.bytes.toString('utf8', request.bodyAt),
    close: () => connection.close(),
  }
}

function timeParsing(body: string): Parsed {
  let tookMs = 0
  const spentMs = ownProcessorMs(() => {
    const startMs = performance.now()
    JSON.parse(body)
    tookMs = performance.now() - startMs
  })
  return { tookMs, spentMs }
}
