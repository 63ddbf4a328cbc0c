import { FrameReaders } from '../load/frame-readers.ts'
import { createShare, signIn } from '../load/operator.ts'
import { Phones } from '../load/phones.ts'
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
const LIMITS = { CONNECTIONS: '20000', CONNECTIONS_PER_ADDRESS: '20000' }
/** Requests to a route that does nothing, which say what any answer costs here. */
const EMPTY_REQUESTS = 2_000

/** Processor time and bytes of spectators who read frames one by one without a cache, of 500 moving phones of 2,000. */
export const frames: Part = {
  name: 'frames',
  title: 'Frames of 2,000 phones, 500 of them moving, without a cache',
  engines: 'SQLite',
  async *measure({ engine, effort }) {
    const server = await engine.start(LIMITS)
    const operator = await signIn(server)
    const { token } = await createShare(operator, server)
    const phones = await Phones.open(server, PHONES)
    const readers = new FrameReaders(server, token)
    const seconds = (ROUND_MS * ROUNDS) / 1000

    /** Runs the load with the spectators that there are. */
    async function measure(): Promise<{ spent: SpentTime; bytes: number; requests: number }> {
      const { bytes, requests } = readers
      const spent = await spentDuring(server.pid, async () => {
        const reading = readers.readFor(ROUND_MS * ROUNDS)
        for (let round = 0; round < ROUNDS; round++) await phones.send(MOVING, ROUND_MS, () => {})
        await reading
      })
      return { spent, bytes: readers.bytes - bytes, requests: readers.requests - requests }
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
    readers.close()
    phones.close()
    await server.stop()
  },
}
