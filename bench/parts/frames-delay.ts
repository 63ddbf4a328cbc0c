import { watchFrames } from '../../clients/typescript/src/live/watch-frames.ts'
import { signIn } from '../load/operator.ts'
import { Phones, type SentPoint } from '../load/phones.ts'
import { spentDuring } from '../program/processor-time.ts'
import type { Figure } from '../report/figure.ts'
import type { Part } from './part.ts'
import { sizesUpTo } from './sizes.ts'

const SIZES = [1_000, 5_000, 20_000]
/** Every phone sends this often, or less often where that would be more points a second than two cores take. */
const SEND_EVERY_MS = 10_000
const MAX_POINTS_PER_SEC = 500
const ROUNDS = 2
/** Time after the last point for which frames are read. */
const LAST_MS = 10_000

const LIMITS = { CONNECTIONS: '40000', CONNECTIONS_PER_ADDRESS: '40000' }

/** The time from the answer to a phone until one spectator has the point in a frame, and the time of the answers. */
export const framesDelay: Part = {
  name: 'frames-delay',
  title: 'Delay of frames for one spectator',
  engines: 'both',
  async *measure({ engine, effort }) {
    for (const size of sizesUpTo(SIZES, effort.growth.spectators * 10)) {
      const server = await engine.start(LIMITS)
      const operator = await signIn(server)
      const share = await operator.ask<{ url: string }>('POST', `/operator/events/${server.eventId}/shares`, {})
      const phones = await Phones.open(server, size)
      const everyMs = Math.max(SEND_EVERY_MS, (size * 1000) / MAX_POINTS_PER_SEC)
      /** Has every phone send once. Returns what that costs the server for each. */
      const sendAll = async (points: SentPoint[]) => {
        const spent = await spentDuring(server.pid, () => phones.send(size, everyMs, (point) => points.push(point)))
        return spent.totalUs / size
      }
      const unwatched: SentPoint[] = []
      const unwatchedUs = await sendAll(unwatched)

      const spectator = openSpectator(server.url, share.url.split('/').at(-1)!)
      await spectator.begun
      const sent: SentPoint[] = []
      let watchedUs = 0
      for (let round = 0; round < ROUNDS; round++) watchedUs += (await sendAll(sent)) / ROUNDS
      const delays = await spectator.end(sent)
      yield [
        ...percentiles('until a spectator has a point', delays, size),
        { what: 'processor time of a point, nobody watching', value: unwatchedUs, unit: 'µs', at: size },
        { what: 'of that, watched', value: watchedUs / unwatchedUs, unit: 'x', goal: { atMost: 1.2 }, at: size },
        { what: 'points that no frame had', value: sent.length - delays.length, unit: '', at: size },
        ...percentiles(
          'answer to a phone, watched',
          sent.map(({ tookMs }) => tookMs),
          size,
        ),
        ...percentiles(
          'answer to a phone, nobody watching',
          unwatched.map(({ tookMs }) => tookMs),
          size,
        ),
      ]
      phones.close()
      await server.stop()
    }
  },
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
      await new Promise((resolve) => setTimeout(resolve, LAST_MS))
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
  const sorted = values.toSorted((a, b) => a - b)
  const figure = (name: string, share: number): Figure => ({
    what: `${what}, ${name}`,
    value: sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN,
    unit: 'ms',
    at,
  })
  return [figure('median', 0.5), figure('of 1 %, at least', 0.99)]
}
