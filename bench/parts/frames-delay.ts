import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { watchFrames } from '../../clients/typescript/src/live/watch-frames.ts'
import { Connection } from '../load/connection.ts'
import { signIn } from '../load/operator.ts'
import { Phones, type SentPoint } from '../load/phones.ts'
import type { Engine } from '../program/engine.ts'
import { memoryBytes } from '../program/process-memory.ts'
import { spentDuring } from '../program/processor-time.ts'
import type { Target } from '../program/target.ts'
import { type Figure, quantile } from '../report/figure.ts'
import type { Part } from './part.ts'
import { sizesUpTo } from './sizes.ts'

const SIZES = [1_000, 5_000, 20_000]
/** Every phone sends this often, or less often where that would be more points a second than two cores take. */
const SEND_EVERY_MS = 10_000
const MAX_POINTS_PER_SEC = 500
/** Each without a spectator and then with one: the machine does not stay the same. */
const ROUNDS = 2
/** Time after the last point for which frames are read. */
const LAST_MS = 10_000
/** Time after which frames are no longer made for a spectator who has left, and a second more. */
const UNWATCHED_AFTER_MS = 31_000

const LIMITS = { CONNECTIONS: '40000', CONNECTIONS_PER_ADDRESS: '40000' }

/** The time from the answer to a phone until one spectator has the point in a frame, and the time of the answers. */
export const framesDelay: Part = {
  name: 'frames-delay',
  title: 'Delay of frames for one spectator',
  engines: 'both',
  async *measure({ engine, effort }) {
    for (const size of sizesUpTo(SIZES, effort.growth.spectators * 10)) yield await measureDelay(engine, size, ROUNDS)
  },
}

/** Measures the phones of an event with one spectator and without, in turns. */
export async function measureDelay(engine: Engine, size: number, rounds: number): Promise<Figure[]> {
  const server = await engine.start(LIMITS)
  const operator = await signIn(server)
  const share = await operator.ask<{ url: string }>('POST', `/operator/events/${server.eventId}/shares`, {})
  const token = share.url.split('/').at(-1)!
  const phones = await Phones.open(server, size)
  const everyMs = Math.max(SEND_EVERY_MS, (size * 1000) / MAX_POINTS_PER_SEC)
  /** Has every phone send once. Returns what that costs the server for each. */
  const sendAll = async (points: SentPoint[]) => {
    const spent = await spentDuring(server.pid, () => phones.send(size, everyMs, (point) => points.push(point)))
    return spent.totalUs / size / rounds
  }
  const [unwatched, sent]: SentPoint[][] = [[], []]
  const delays: number[] = []
  let [unwatchedUs, watchedUs, frameBytes] = [0, 0, 0]
  const client = monitorEventLoopDelay({ resolution: 1 })
  client.enable()
  for (let round = 0; round < rounds; round++) {
    if (round > 0) await wait(UNWATCHED_AFTER_MS)
    unwatchedUs += await sendAll(unwatched)
    const spectator = openSpectator(server.url, token)
    await spectator.begun
    const points: SentPoint[] = []
    watchedUs += await sendAll(points)
    frameBytes = await newestFrameBytes(server, token)
    delays.push(...(await spectator.end(points)))
    sent.push(...points)
  }
  client.disable()
  const took = [sent, unwatched].map((points) => points.map(({ tookMs }) => tookMs))
  const memory = memoryBytes(server.pid)
  phones.close()
  await server.stop()
  return [
    ...percentiles('until a spectator has a point', delays, size),
    { what: 'points that no frame had', value: sent.length - delays.length, unit: '', at: size },
    ...percentiles('answer to a phone, watched', took[0], size),
    ...percentiles('answer to a phone, nobody watching', took[1], size),
    {
      what: 'slowest 1 % of answers, watched',
      value: quantileOf(took[0], 0.99) / quantileOf(took[1], 0.99),
      unit: 'x',
      goal: { atMost: 1.2 },
      at: size,
    },
    { what: 'of these delays, turns of the client, of 1 %', value: client.percentile(99) / 1e6, unit: 'ms', at: size },
    { what: 'processor time of a point, nobody watching', value: unwatchedUs, unit: 'µs', at: size },
    { what: 'of that, watched', value: watchedUs / unwatchedUs, unit: 'x', goal: { atMost: 1.2 }, at: size },
    {
      what: 'a frame with gzip, for each that moved',
      value: frameBytes / ((size * 2000) / everyMs),
      unit: 'B',
      at: size,
    },
    { what: 'memory of the process', value: memory / 1_048_576, unit: 'MiB', at: size },
  ]
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

/** Follows the frames of a share, and notes when each point came. */
function openSpectator(baseUrl: string, shareToken: string) {
  const ending = new AbortController()
  const seenAt = new Map<string, number>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const keyOf = ({ id, timeMs }: { id: string; timeMs: number | null }) => `${id} ${timeMs}`
  const reading = (async () => {
    for await (const event of watchFrames({ baseUrl, shareToken, signal: ending.signal })) {
      if (event.name !== 'frame') throw new Error('The spectator lost its connection.')
      const nowMs = performance.now()
      for (const track of event.frame.changed) if (!seenAt.has(keyOf(track))) seenAt.set(keyOf(track), nowMs)
      begin()
    }
  })()
  return {
    begun,
    /** Waits for the last points. Returns the delays of those that came. */
    async end(sent: readonly SentPoint[]): Promise<number[]> {
      await wait(LAST_MS)
      ending.abort()
      await reading
      return sent.flatMap((point) => {
        const seenMs = seenAt.get(keyOf(point))
        return seenMs === undefined ? [] : [seenMs - point.answeredMs]
      })
    },
  }
}

function percentiles(what: string, values: readonly number[], at: number): Figure[] {
  const figure = (name: string, share: number): Figure => ({
    what: `${what}, ${name}`,
    value: quantileOf(values, share),
    unit: 'ms',
    at,
  })
  return [figure('median', 0.5), figure('of 1 %, at least', 0.99)]
}

function quantileOf(values: readonly number[], share: number): number {
  return quantile(Float64Array.from(values).sort(), share)
}
