import { Connection } from '../load/connection.ts'
import { fillTrack } from '../load/fill-track.ts'
import { plainRequest } from '../load/points-request.ts'
import { peakMemory } from '../program/process-memory.ts'
import { spentDuring } from '../program/processor-time.ts'
import { createTrack, type Target } from '../program/target.ts'
import type { Figure } from '../report/figure.ts'
import type { Part } from './part.ts'

const MIB = 1_048_576
const MILLION = 1_000_000
/** Shortest line of a point in a response. */
const LEAST_BYTES_PER_POINT = 50

/** Memory and processor time while a very long track arrives in requests of 10,000 points, and while it is read. */
export const memory: Part = {
  name: 'memory',
  title: 'A track of millions of points',
  engines: 'both',
  async *measure({ engine, effort }) {
    const points = effort.memoryPoints
    const server = await engine.start()
    const id = await createTrack(server, 'very long')
    yield await figures(server, `arriving: ${points / MILLION} million points`, points, () =>
      fillTrack(server, id, points),
    )
    yield await figures(server, `read in one response: ${points / MILLION} million points`, points, () =>
      readAll(server, id, points),
    )
    await server.stop()
  },
}

async function figures(server: Target, what: string, points: number, work: () => Promise<void>): Promise<Figure[]> {
  const startMs = performance.now()
  let peakBytes = 0
  const spent = await spentDuring(server.pid, async () => {
    peakBytes = await peakMemory(server.pid, work)
  })
  const tookSec = (performance.now() - startMs) / 1000
  return [
    { what: `${what}, highest memory`, value: peakBytes / MIB, unit: 'MiB' },
    { what: `${what}, points per second`, value: points / tookSec, unit: '/s' },
    { what: `${what}, processor time of a point`, value: spent.totalUs / points, unit: 'µs' },
  ]
}

async function readAll(server: Target, trackId: string, points: number): Promise<void> {
  const connection = await Connection.open(server.url)
  const { status, bytes } = await connection.exchange(plainRequest(server, 'GET', `/tracks/${trackId}/points`))
  connection.close()
  if (status !== 200 || bytes < LEAST_BYTES_PER_POINT * points)
    throw new Error(`${server.name} sent ${bytes} bytes with status ${status}`)
}
