import { setTimeout as wait } from 'node:timers/promises'
import { Connection } from '../load/connection.ts'
import { createShare, signIn } from '../load/operator.ts'
import { pointsRequest } from '../load/points-request.ts'
import { Spectators } from '../load/spectators.ts'
import { WALK_START_MS, walk } from '../load/walk.ts'
import { memoryBytes } from '../program/process-memory.ts'
import { spentDuring } from '../program/processor-time.ts'
import { createTracks, type Target } from '../program/target.ts'
import type { Part } from './part.ts'
import { sizesUpTo } from './sizes.ts'

const SIZES = [1, 10, 100, 1_000, 5_000]
const RUNNERS = 10
const POINTS_PER_BATCH = 10
/** Every runner sends a batch this often. */
const BATCH_EVERY_MS = 1_000
const MEASURED_MS = 4_000
const SETTLE_MS = 1_000
const MIB = 1_048_576

/** As many streams as are measured; one share may take half of them. Spectators share one address here. */
const LIMITS = { LIVE_STREAMS: '20000', LIVE_STREAMS_PER_ADDRESS: '20000', CONNECTIONS_PER_ADDRESS: '20000' }

/** Processor time and memory, as more and more spectators watch ten runners, who send a batch each second. */
export const growthSpectators: Part = {
  name: 'growth-spectators',
  title: 'Growth with the spectators of ten runners',
  engines: 'SQLite',
  async *measure({ engine, effort }) {
    const server = await engine.start(LIMITS)
    const operator = await signIn(server)
    const { token } = await createShare(operator, server)
    const spectators = new Spectators(server, token)
    const runners = await openRunners(server)
    for (const size of sizesUpTo(SIZES, effort.growth.spectators)) {
      await spectators.growTo(size)
      await runners.during(SETTLE_MS)
      const before = spectators.bytes
      const spent = await spentDuring(server.pid, () => runners.during(MEASURED_MS))
      const bytes = spectators.bytes - before
      const seconds = MEASURED_MS / 1000
      yield [
        { what: 'main thread, of a processor', value: spent.us('main') / 1000 / MEASURED_MS, unit: 'x', at: size },
        { what: 'all threads, per spectator and second', value: spent.totalUs / seconds / size, unit: 'µs', at: size },
        { what: 'sent per spectator and second', value: bytes / seconds / size, unit: 'B', at: size },
        { what: 'memory of the process', value: memoryBytes(server.pid) / MIB, unit: 'MiB', at: size },
      ]
    }
    spectators.close()
    runners.close()
    await server.stop()
  },
}

/** Opens runners that send a batch each second while they are asked to. */
async function openRunners(server: Target) {
  const ids = await createTracks(server, 'watched', RUNNERS)
  const runners = await Promise.all(
    ids.map(async (id, i) => ({
      connection: await Connection.open(server.url),
      request: pointsRequest(server, id, walk(POINTS_PER_BATCH, i)),
    })),
  )
  let startMs = WALK_START_MS
  async function sendAll(): Promise<void> {
    startMs += POINTS_PER_BATCH * 1000
    for (const { connection, request } of runners) {
      request.moveTo(startMs)
      const { status } = await connection.exchange(request.bytes)
      if (status !== 204) throw new Error(`${server.name} answered ${status}`)
    }
  }
  return {
    async during(durationMs: number): Promise<void> {
      for (const endMs = performance.now() + durationMs; performance.now() < endMs; ) {
        await Promise.all([sendAll(), wait(BATCH_EVERY_MS)])
      }
    },
    close() {
      for (const { connection } of runners) connection.close()
    },
  }
}
