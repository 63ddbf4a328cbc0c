import { setTimeout as wait } from 'node:timers/promises'
import { Connection } from '../connection.ts'
import { type Figure, mib, perSecond } from '../figure.ts'
import { fillTrack } from '../fill-track.ts'
import { plainRequest } from '../points-request.ts'
import { memoryBytes, peakMemory } from '../process-memory.ts'
import { createTrack, type Target } from '../target.ts'

const IDLE_AFTER_MS = 1000

/** Measures the memory of the process: idle, while a very long track arrives in requests of 10,000 points, and while it is read. */
export async function measureMemory(server: Target, points: number): Promise<Figure[]> {
  await wait(IDLE_AFTER_MS)
  const idleBytes = memoryBytes(server.pid)
  const id = await createTrack(server, 'very long')
  const writing = await timedPeak(server, () => fillTrack(server, id, points))
  const reading = await timedPeak(server, () => readAll(server, id, points))
  const million = (points / 1_000_000).toFixed(1)
  return [
    { what: 'memory of the process, idle', measured: mib(idleBytes), beside: '', target: '' },
    {
      what: `while ${million} million points of one track arrive`,
      measured: `${mib(writing.peakBytes)} at most`,
      beside: `${perSecond(points / writing.tookSec)} points`,
      target: 'bounded',
    },
    {
      what: `while ${million} million points are read in one response`,
      measured: `${mib(reading.peakBytes)} at most`,
      beside: `${perSecond(points / reading.tookSec)} points`,
      target: 'bounded',
    },
  ]
}

async function timedPeak(server: Target, work: () => Promise<unknown>) {
  const startMs = performance.now()
  const peakBytes = await peakMemory(server.pid, work)
  return { peakBytes, tookSec: (performance.now() - startMs) / 1000 }
}

async function readAll(server: Target, trackId: string, points: number): Promise<void> {
  const connection = await Connection.open(server.url)
  const { status, bytes } = await connection.exchange(plainRequest(server, 'GET', `/tracks/${trackId}/points`))
  if (status !== 200 || bytes < 50 * points) throw new Error(`${server.name} sent ${bytes} bytes with status ${status}`)
  connection.close()
}
