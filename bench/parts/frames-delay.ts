import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Connection } from '../load/connection.ts'
import { createShare, signIn } from '../load/operator.ts'
import { Phones } from '../load/phones.ts'
import {
  MEASURED_MS,
  measureTurn,
  SHORT_KEEP,
  untilUnwatched,
  type WatchedTurn,
  type Window,
} from '../load/watched-turns.ts'
import type { Engine } from '../program/engine.ts'
import { memoryBytes } from '../program/process-memory.ts'
import type { Target } from '../program/target.ts'
import { type Figure, quantile } from '../report/figure.ts'
import { intervalText, type Ratio, ratioOfTurns } from '../report/ratio-of-turns.ts'
import type { Part } from './part.ts'
import { sizesUpTo } from './sizes.ts'

const SIZES = [1_000, 5_000, 20_000]
/** Points that all phones send in a second, each ten seconds or more after its last. */
export const POINTS_PER_SEC = 500
const SEND_EVERY_SEC = 10
/** Turns, each without a spectator and then with one: the machine does not stay the same. */
const TURNS = 3

const LIMITS = { CONNECTIONS: '40000', CONNECTIONS_PER_ADDRESS: '40000', ...SHORT_KEEP }

/** The time from the answer to a phone until one spectator has the point in a frame, and the time of the answers. */
export const framesDelay: Part = {
  name: 'frames-delay',
  title: 'Delay of frames for one spectator',
  engines: 'both',
  async *measure({ engine, effort }) {
    for (const size of sizesUpTo(SIZES, effort.growth.spectators * 10)) {
      yield await measureDelay(engine, { size, turns: TURNS, perSec: POINTS_PER_SEC })
    }
  },
}

/** Phones of an event, the points that they send a second at most, and how often both are measured. */
export type DelayOptions = { size: number; turns: number; perSec: number }

/** Measures the phones of an event without a spectator and with one, in turns on one running server. */
export async function measureDelay(engine: Engine, options: DelayOptions): Promise<Figure[]> {
  const { size } = options
  const perSec = Math.min(options.perSec, size / SEND_EVERY_SEC)
  const server = await engine.start(LIMITS)
  const operator = await signIn(server)
  const { token } = await createShare(operator, server)
  const phones = await Phones.open(server, size)
  const client = monitorEventLoopDelay({ resolution: 1 })
  const turns: WatchedTurn[] = []
  let frameBytes = 0
  client.enable()
  while (turns.length < options.turns) {
    if (turns.length > 0) await untilUnwatched()
    const turn = await measureTurn(server, { phones, perSec, token }, async () => {
      frameBytes = await newestFrameBytes(server, token)
    })
    turns.push(turn)
  }
  client.disable()
  const memory = memoryBytes(server.pid)
  phones.close()
  await server.stop()
  const movedBytes = frameBytes / (perSec * FRAME_SEC)
  return [
    ...delayFigures(turns),
    ...answerFigures(turns),
    ...processorFigures(turns),
    { what: 'of these delays, turns of the client, of 1 %', value: client.percentile(99) / 1e6, unit: 'ms' } as const,
    { what: 'a frame with gzip, for each that moved', value: movedBytes, unit: 'B' } as const,
    { what: 'memory of the process', value: memory / 1_048_576, unit: 'MiB' } as const,
  ].map((figure) => ({ ...figure, at: size }))
}

const FRAME_SEC = 2

function delayFigures(turns: readonly WatchedTurn[]): Figure[] {
  const delays = turns.flatMap(({ delaysMs }) => delaysMs)
  const sent = turns.reduce((sum, { watched }) => sum + watched.points.length, 0)
  return [
    ...percentiles('until a spectator has a point', delays, [{ atMost: 2500 }, { atMost: 4000 }]),
    { what: 'points that no frame had', value: sent - delays.length, unit: '' },
  ]
}

/** Returns the figures of the answers to phones, of all turns together. */
function answerFigures(turns: readonly WatchedTurn[]): Figure[] {
  const tookOf = ({ points }: Window) => Float64Array.from(points, ({ tookMs }) => tookMs)
  const pairs = turns.map(({ watched, unwatched }) => ({ with: tookOf(watched), without: tookOf(unwatched) }))
  const tail = ratioOfTurns(pairs, (samples) => quantile(samples.sort(), 0.99))
  return [
    ...percentiles(
      'answer to a phone, watched',
      pairs.flatMap((pair) => [...pair.with]),
    ),
    ...percentiles(
      'answer to a phone, nobody watching',
      pairs.flatMap((pair) => [...pair.without]),
    ),
    ratioFigure('slowest 1 % of answers, watched', tail, turns),
  ]
}

/** Returns the figures of the server's processor time. */
function processorFigures(turns: readonly WatchedTurn[]): Figure[] {
  const usOf = ({ spent, points }: Window) => spent.totalUs / points.length
  const pairs = turns.map(({ watched, unwatched }) => ({
    with: Float64Array.of(usOf(watched)),
    without: Float64Array.of(usOf(unwatched)),
  }))
  const mean = (samples: Float64Array) => samples.reduce((sum, sample) => sum + sample, 0) / samples.length
  const pointUs = mean(Float64Array.from(turns, ({ unwatched }) => usOf(unwatched)))
  const share = mean(Float64Array.from(turns, ({ watched }) => watched.spent.totalUs / 1000 / MEASURED_MS))
  const byThread = [...turns.at(-1)!.watched.spent.byKind]
    .map(([kind, us]) => `${kind} ${(us / 1000 / MEASURED_MS).toFixed(3)}`)
    .join(', ')
  return [
    { what: 'processor time of a point, nobody watching', value: pointUs, unit: 'µs' },
    ratioFigure('of that, watched', ratioOfTurns(pairs, mean), turns),
    { what: 'the server, watched, of a processor', value: share, unit: 'x', beside: byThread },
  ]
}

function ratioFigure(what: string, ratio: Ratio, turns: readonly WatchedTurn[]): Figure {
  return { what, value: ratio.value, unit: 'x', goal: { atMost: 1.2 }, beside: intervalText(ratio, turns.length) }
}

/** Returns the bytes of an answer with the newest frame. */
async function newestFrameBytes({ url }: Target, token: string): Promise<number> {
  const path = `/shares/${token}/frames`
  const { number } = (await (await fetch(`${url}${path}/latest`)).json()) as { number: number }
  const connection = await Connection.open(url)
  const head = `GET ${path}/${number} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n`
  const { bytes } = await connection.exchange(Buffer.from(head))
  connection.close()
  return bytes
}

const SHARES = [
  ['median', 0.5],
  ['of 1 %, at least', 0.99],
  ['of 0.1 %, at least', 0.999],
] as const

function percentiles(what: string, values: readonly number[], goals: readonly Figure['goal'][] = []): Figure[] {
  const sorted = Float64Array.from(values).sort()
  return SHARES.map(([name, share], i) => ({
    what: `${what}, ${name}`,
    value: quantile(sorted, share),
    unit: 'ms',
    ...(goals[i] && { goal: goals[i] }),
  }))
}
