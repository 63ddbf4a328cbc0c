import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { WirePoint } from '../../test/support/make-points.ts'
import { Connection } from '../load/connection.ts'
import { fillTrack } from '../load/fill-track.ts'
import { plainRequest, pointsRequest } from '../load/points-request.ts'
import { walk } from '../load/walk.ts'
import type { MeasuredServer } from '../program/engine.ts'
import { startRowsServer } from '../program/rival-servers.ts'
import { createTracks, type Target } from '../program/target.ts'
import type { Part } from './part.ts'

const POINTS_PER_TRACK = 10_000
const POINTS_PER_BATCH = 30
const CONNECTIONS = 16
/** Compaction has finished and freed its space when the disk use has not changed for this long. */
const QUIET_MS = 2500
const ROWS = 50_000

/** The disk use of a point: sent in batches of 30, with all tracks finished and compacted, and after a stop. */
export const diskUse: Part = {
  name: 'disk-use',
  title: 'Disk use of points in batches of 30, with all indexes and logs',
  engines: 'both',
  async *measure({ engine, effort, folder }) {
    const server = await engine.start()
    const emptyBytes = await server.diskBytes()
    const tracks = (await createTracks(server, 'disk', effort.diskTracks)).entries()
    await Promise.all(Array.from({ length: CONNECTIONS }, () => recordTracks(server, tracks)))
    const finishedBytes = await server.diskBytes()
    const mergedBytes = await untilQuiet(server)
    await server.stop()
    const stoppedBytes = await server.diskBytes()
    const points = effort.diskTracks * POINTS_PER_TRACK
    const perPoint = (bytes: number) => (bytes - emptyBytes) / points
    yield [
      { what: 'a point of a finished track', value: perPoint(mergedBytes), unit: 'B', goal: { atMost: 15, aim: 6 } },
      { what: 'a point after a stop', value: perPoint(stoppedBytes), unit: 'B' },
      { what: 'a point when the last track is finished', value: perPoint(finishedBytes), unit: 'B' },
      ...(engine.name === 'SQLite'
        ? [{ what: 'one row per point', value: await rowBytes(folder), unit: 'B' as const }]
        : []),
    ]
  },
}

/** Measures the bytes of a row in the service that stores one row per point in SQLite. */
async function rowBytes(folder: string): Promise<number> {
  const server = await startRowsServer(folder)
  await fillTrack(server, '0', ROWS)
  const { size } = statSync(join(server.dataDir, 'rows.sqlite'))
  await server.stop()
  return size / ROWS
}

async function recordTracks(server: Target, waiting: Iterator<[number, string]>): Promise<void> {
  const connection = await Connection.open(server.url)
  for (let next = waiting.next(); !next.done; next = waiting.next()) {
    const [index, id] = next.value
    for (const points of batches(walk(POINTS_PER_TRACK, 1000 + index))) {
      await connection.exchange(pointsRequest(server, id, points).bytes)
    }
    const { status } = await connection.exchange(plainRequest(server, 'POST', `/tracks/${id}/finish`))
    if (status !== 200) throw new Error(`${server.name} answered ${status}`)
  }
  connection.close()
}

function* batches(points: WirePoint[]): Generator<WirePoint[]> {
  for (let at = 0; at < points.length; at += POINTS_PER_BATCH) yield points.slice(at, at + POINTS_PER_BATCH)
}

async function untilQuiet(server: MeasuredServer): Promise<number> {
  for (let before = await server.diskBytes(); ; ) {
    await wait(QUIET_MS)
    const now = await server.diskBytes()
    if (now === before) return now
    before = now
  }
}
