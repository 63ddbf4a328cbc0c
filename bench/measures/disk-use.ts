import { setTimeout as wait } from 'node:timers/promises'
import type { WirePoint } from '../../test/support/make-points.ts'
import { Connection } from '../connection.ts'
import type { MeasuredServer } from '../engine.ts'
import type { Figure } from '../figure.ts'
import { plainRequest, pointsRequest } from '../points-request.ts'
import { createTracks, type Target } from '../target.ts'
import { walk } from '../walk.ts'

const POINTS_PER_TRACK = 10_000
const POINTS_PER_BATCH = 30
const CONNECTIONS = 16
/** Compaction has finished and freed its space when the disk use has not changed for this long. */
const QUIET_MS = 2500

/** Measures the disk use of a point: sent in batches of 30, with all tracks finished and compacted, and after a stop. */
export async function measureDiskUse(server: MeasuredServer, trackCount: number, rowBytes: number): Promise<Figure> {
  const emptyBytes = await server.diskBytes()
  const tracks = (await createTracks(server, 'disk', trackCount)).entries()
  await Promise.all(Array.from({ length: CONNECTIONS }, () => recordTracks(server, tracks)))
  const finishedBytes = await server.diskBytes()
  const mergedBytes = await untilQuiet(server)
  await server.stop()
  const stoppedBytes = await server.diskBytes()
  const points = trackCount * POINTS_PER_TRACK
  const perPoint = (bytes: number) => ((bytes - emptyBytes) / points).toFixed(1)
  return {
    what: `disk use of ${points.toLocaleString('en')} points in batches of 30, with all indexes and logs`,
    measured: `${perPoint(mergedBytes)} bytes per point compacted, ${perPoint(stoppedBytes)} after a stop`,
    beside: `${perPoint(finishedBytes)} when the last track is finished; one row per point: ${rowBytes.toFixed(0)}`,
    target: 'at most 15 bytes, aim 6 to 9',
  }
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
