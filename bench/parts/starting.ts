import { setTimeout as wait } from 'node:timers/promises'
import type { Installation, Settings } from '../program/engine.ts'
import { memoryBytes } from '../program/process-memory.ts'
import { NO_TIME, readProcessorTime, timeBetween } from '../program/processor-time.ts'
import { median } from '../report/figure.ts'
import type { Part } from './part.ts'

const ROUNDS = 5
/** Time after which threads that were only needed for the start have ended, and memory has been collected. */
const IDLE_AFTER_MS = 10_000
const MIB = 1_048_576

/** The start of the program, and its memory afterwards. */
export const starting: Part = {
  name: 'starting',
  title: 'Start and idle memory',
  engines: 'both',
  async *measure({ engine }) {
    const installation = await engine.create()
    // The first start creates the tables, and compiles the program.
    await (await installation.start()).stop()
    const starts: Started[] = []
    for (let round = 0; round < ROUNDS; round++) starts.push(await timeStart(installation))
    yield [
      {
        what: 'from `node …` to the answer of /healthz',
        value: median(starts.map(({ healthyMs }) => healthyMs)),
        unit: 'ms',
        goal: { atMost: 1000 },
      },
      {
        what: 'processor time of a start, all threads',
        value: median(starts.map(({ spentMs }) => spentMs)),
        unit: 'ms',
        beside: `main thread ${median(starts.map(({ mainMs }) => mainMs)).toFixed(0)} ms`,
      },
    ]
    yield [
      {
        what: 'idle memory with both services',
        value: await idleMib(installation, {}),
        unit: 'MiB',
        goal: { atMost: 160 },
      },
      {
        what: 'idle memory with track recording alone',
        value: await idleMib(installation, { SERVICES: 'tracks' }),
        unit: 'MiB',
        goal: { atMost: 115 },
      },
      {
        what: 'idle memory with publication alone',
        value: await idleMib(installation, { SERVICES: 'publications' }),
        unit: 'MiB',
        goal: { atMost: 115 },
      },
    ]
  },
}

type Started = { healthyMs: number; spentMs: number; mainMs: number }

async function timeStart(installation: Installation): Promise<Started> {
  const startMs = performance.now()
  const server = await installation.start()
  const response = await fetch(`${server.url}/healthz`)
  if (response.status !== 200) throw new Error(`/healthz was answered ${response.status}`)
  const healthyMs = performance.now() - startMs
  const spent = timeBetween(NO_TIME, readProcessorTime(server.pid))
  await server.stop()
  return { healthyMs, spentMs: spent.totalUs / 1000, mainMs: spent.us('main') / 1000 }
}

async function idleMib(installation: Installation, settings: Settings): Promise<number> {
  const server = await installation.start(settings)
  await wait(IDLE_AFTER_MS)
  const bytes = memoryBytes(server.pid)
  await server.stop()
  return bytes / MIB
}
