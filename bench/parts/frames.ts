import { FrameReaders } from '../load/frame-readers.ts'
import { signIn } from '../load/operator.ts'
import { Phones } from '../load/phones.ts'
import { Spectators } from '../load/spectators.ts'
import { memoryBytes } from '../program/process-memory.ts'
import { type SpentTime, spentDuring } from '../program/processor-time.ts'
import type { Part } from './part.ts'
import { sizesUpTo } from './sizes.ts'

const SIZES = [100, 1_000, 5_000]
const PHONES = 2_000
/** Phones that send within two seconds, and are in each frame. */
const MOVING = 500
const ROUND_MS = 2_000
const ROUNDS = 4

/** As many connections as are measured. Phones and spectators share one address here. */
const LIMITS = {
  CONNECTIONS: '20000',
  CONNECTIONS_PER_ADDRESS: '20000',
  LIVE_STREAMS: '20000',
  LIVE_STREAMS_PER_ADDRESS: '20000',
}
/** Requests to a route that does nothing, which say what any answer costs here. */
const EMPTY_REQUESTS = 2_000
/** Streams of which one's memory can be told from that of the process. */
const ENOUGH_STREAMS = 5_000

/**
 * Processor time and bytes of spectators without a cache between, of 500 moving phones among 2,000: who read frames one
 * by one, and who get them in a stream.
 */
export const frames: Part = {
  name: 'frames',
  title: 'Frames of 2,000 phones, 500 of them moving, without a cache',
  engines: 'SQLite',
  async *measure({ engine, effort }) {
    const server = await engine.start(LIMITS)
    const operator = await signIn(server)
    const share = await operator.ask<{ url: string }>('POST', `/operator/events/${server.eventId}/shares`, {})
    const phones = await Phones.open(server, PHONES)
    const token = share.url.split('/').at(-1)!
    const readers = new FrameReaders(server, token)
    const streams = new Spectators(server, token, 'frames')
    const seconds = (ROUND_MS * ROUNDS) / 1000

    /** Runs the load with the spectators that there are. */
    async function measure(): Promise<{ spent: SpentTime; bytes: number; requests: number; streamed: number }> {
      const { bytes, requests } = readers
      const streamed = streams.bytes
      const spent = await spentDuring(server.pid, async () => {
        const reading = readers.readFor(ROUND_MS * ROUNDS)
        for (let round = 0; round < ROUNDS; round++) await phones.send(MOVING, ROUND_MS, () => {})
        await reading
      })
      const sent = { bytes: readers.bytes - bytes, streamed: streams.bytes - streamed }
      return { spent, ...sent, requests: readers.requests - requests }
    }

    await readers.growTo(1)
    await measure()
    const alone = await measure()
    yield [{ what: 'with one spectator, of a processor', value: alone.spent.totalUs / 1e6 / seconds, unit: 'x' }]
    for (const size of sizesUpTo(SIZES, effort.growth.spectators)) {
      await readers.growTo(size)
      const { spent, bytes, requests } = await measure()
      // Where the machine is too slow for all, fewer requests than one a second come from each.
      const eachUs = (spent.totalUs - alone.spent.totalUs) / (requests - alone.requests)
      yield [
        { what: 'all threads, of a processor', value: spent.totalUs / 1e6 / seconds, unit: 'x', at: size },
        { what: 'requests per spectator and second', value: requests / seconds / size, unit: '', at: size },
        { what: 'all threads, per spectator and second of one request', value: eachUs, unit: 'µs', at: size },
        { what: 'sent per spectator and second of one request', value: bytes / requests, unit: 'B', at: size },
      ]
    }
    const empty = await spentDuring(server.pid, () => readers.ask('/healthz', EMPTY_REQUESTS))
    yield [{ what: 'an answer without content, for comparison', value: empty.totalUs / EMPTY_REQUESTS, unit: 'µs' }]
    await readers.growTo(1)
    // In which the server notices who has left.
    await measure()
    const before = await measure()
    const beforeBytes = memoryBytes(server.pid)
    for (const size of sizesUpTo(SIZES, effort.growth.spectators)) {
      await streams.growTo(size)
      const { spent, streamed } = await measure()
      const eachUs = (spent.totalUs - before.spent.totalUs) / size / seconds
      yield [
        { what: 'all threads, per stream of frames and second', value: eachUs, unit: 'µs', at: size },
        { what: 'sent per stream of frames and second', value: streamed / size / seconds, unit: 'B', at: size },
        {
          what: 'memory of a stream',
          value: (memoryBytes(server.pid) - beforeBytes) / size,
          unit: 'B',
          goal: size >= ENOUGH_STREAMS ? { atMost: 10_000 } : {},
          at: size,
        },
      ]
    }
    streams.close()
    readers.close()
    phones.close()
    await server.stop()
  },
}
