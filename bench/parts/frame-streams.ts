import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../../test/support/free-port.ts'
import { createShare, signIn } from '../load/operator.ts'
import { Phones } from '../load/phones.ts'
import { Spectators } from '../load/spectators.ts'
import type { Engine, Settings } from '../program/engine.ts'
import { memoryBytes } from '../program/process-memory.ts'
import { spentDuring } from '../program/processor-time.ts'
import { objectBytes } from '../program/profiler.ts'
import { benchServer, startProgram } from '../program/start-program.ts'
import type { Target } from '../program/target.ts'
import type { Figure } from '../report/figure.ts'
import type { Part } from './part.ts'

const PHONES = 2_000
/** Phones that send within a second, so that twice as many are in each frame. */
const MOVING_PER_SEC = 250
/** Turns, each with one stream and then with all, so long that the noise of the machine cancels out. */
const TURNS = 2
const MEASURED_MS = 60_000
/** Time in which the server notices who has come or left, and collects what that leaves. */
const SETTLE_MS = 8_000

/** As many connections as are measured. Phones and spectators share one address here. */
const LIMITS = {
  CONNECTIONS: '20000',
  CONNECTIONS_PER_ADDRESS: '20000',
  LIVE_STREAMS: '20000',
  LIVE_STREAMS_PER_ADDRESS: '20000',
}

/** Processor time, bytes and memory of spectators who get frames in a stream, of 500 moving phones of 2,000. */
export const frameStreams: Part = {
  name: 'frame-streams',
  title: 'Streams of frames of 2,000 phones, 500 of them moving',
  engines: 'SQLite',
  async *measure({ engine, effort }) {
    const size = effort.growth.spectators
    yield await measureStreams(engine, size, TURNS)
    yield await measureObjects(engine, size)
    const bare = await startProgram('bare server of streams', benchServer('stream-server.ts'))
    const streams = new Spectators(bare, '')
    await streams.growTo(1)
    const bytes = memoryBytes(bare.pid)
    await streams.growTo(size)
    const value = (memoryBytes(bare.pid) - bytes) / size
    streams.close()
    await bare.stop()
    yield [{ what: 'the same of a bare node:http server', value, unit: 'B', at: size }]
  },
}

type Watched = { server: Target; phones: Phones; streams: Spectators; close(): Promise<void> }

/** Starts a server with phones, and one stream of frames. */
async function openWatched(engine: Engine, settings: Settings = {}): Promise<Watched> {
  const server = await engine.start({ ...LIMITS, ...settings })
  const operator = await signIn(server)
  const { token } = await createShare(operator, server)
  const phones = await Phones.open(server, PHONES)
  const streams = new Spectators(server, token, 'frames')
  await streams.growTo(1)
  const close = async () => {
    streams.close()
    phones.close()
    await server.stop()
  }
  return { server, phones, streams, close }
}

/** Measures one stream and many in turns, under the same load. */
export async function measureStreams(engine: Engine, size: number, turns: number): Promise<Figure[]> {
  const { server, phones, streams, close } = await openWatched(engine)
  const loading = new AbortController()
  const load = phones.sendUntil(loading.signal, MOVING_PER_SEC, () => {})
  const spentUs: { one: number; all: number }[] = []
  let bytes = 0
  let memory = 0
  const measure = async () => {
    await wait(SETTLE_MS)
    const before = streams.bytes
    const { totalUs } = await spentDuring(server.pid, () => wait(MEASURED_MS))
    bytes = streams.bytes - before
    return totalUs
  }
  for (let turn = 0; turn < turns; turn++) {
    await streams.shrinkTo(1)
    const one = await measure()
    const rss = memoryBytes(server.pid)
    await streams.growTo(size)
    const all = await measure()
    if (turn === 0) memory = memoryBytes(server.pid) - rss
    spentUs.push({ one, all })
  }
  loading.abort()
  await load
  await close()
  const seconds = MEASURED_MS / 1000
  const eachUs = spentUs.map(({ one, all }) => (all - one) / (size - 1) / seconds)
  return [
    {
      what: 'all threads, per stream and second',
      value: eachUs.reduce((sum, us) => sum + us, 0) / turns,
      unit: 'µs',
      goal: { atMost: 8 },
      beside: `${turns} turns: ${eachUs.map((us) => us.toFixed(2)).join(', ')}`,
      at: size,
    },
    { what: 'sent per stream and second', value: bytes / size / seconds, unit: 'B', goal: { atMost: 1500 }, at: size },
    { what: 'growth of the process, for each stream', value: memory / size, unit: 'B', at: size },
  ]
}

/** Measures the objects that a stream holds. */
async function measureObjects(engine: Engine, size: number): Promise<Figure[]> {
  const port = await freePort()
  const { streams, close } = await openWatched(engine, { NODE_OPTIONS: `--inspect=127.0.0.1:${port}` })
  await wait(SETTLE_MS)
  const before = await objectBytes(port)
  await streams.growTo(size)
  await wait(SETTLE_MS)
  const value = ((await objectBytes(port)) - before) / size
  await close()
  return [{ what: 'objects of a stream', value, unit: 'B', goal: { atMost: 10_000 }, at: size }]
}
