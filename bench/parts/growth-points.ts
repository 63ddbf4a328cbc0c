import { batchCostUs } from '../load/batch-load.ts'
import { fillTrack } from '../load/fill-track.ts'
import { memoryBytes } from '../program/process-memory.ts'
import { createTracks } from '../program/target.ts'
import type { Part } from './part.ts'
import { sizesUpTo } from './sizes.ts'

const SIZES = [10_000, 100_000, 1_000_000, 5_000_000, 50_000_000]
const TRACKS = 100
const POINTS_PER_REQUEST = 10_000
const FILLING_CONNECTIONS = 4
const LOAD_MS = 1_000
const MIB = 1_048_576

/** Cost of a batch, disk use and memory, as an installation has more and more points, in a hundred tracks. */
export const growthPoints: Part = {
  name: 'growth-points',
  title: 'Growth with the points of an installation',
  engines: 'both',
  async *measure({ engine, effort }) {
    const server = await engine.start()
    const emptyBytes = await server.diskBytes()
    const filled = await createTracks(server, 'filled', TRACKS)
    const ids = await createTracks(server, 'growing', TRACKS)
    const pointsOf = filled.map(() => 0)
    let points = 0
    for (const size of sizesUpTo(SIZES, effort.growth.points)) {
      const waiting = Array.from({ length: (size - points) / POINTS_PER_REQUEST }, (_, i) => i % TRACKS)
      await Promise.all(
        Array.from({ length: FILLING_CONNECTIONS }, async (_, connection) => {
          for (const track of waiting.filter((track) => track % FILLING_CONNECTIONS === connection)) {
            await fillTrack(server, filled[track], POINTS_PER_REQUEST, pointsOf[track])
            pointsOf[track] += POINTS_PER_REQUEST
          }
        }),
      )
      points = size
      const diskBytes = await server.diskBytes()
      const batch = await batchCostUs(engine, server, ids, LOAD_MS)
      const writer = engine.name === 'SQLite' ? 'SQLite writer' : 'PostgreSQL’s backends'
      yield [
        { what: 'processor time of a batch: main thread', value: batch.mainUs, unit: 'µs', at: size },
        { what: `processor time of a batch: ${writer}`, value: batch.databaseUs, unit: 'µs', at: size },
        { what: 'disk use of a point', value: (diskBytes - emptyBytes) / size, unit: 'B', at: size },
        { what: 'memory of the process', value: memoryBytes(server.pid) / MIB, unit: 'MiB', at: size },
      ]
    }
    await server.stop()
  },
}
