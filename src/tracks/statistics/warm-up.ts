import { releaseBytes } from '#platform/basics/memory.ts'
import { WHOLE_TRACK } from '../model/track-state.ts'
import { decodeChunk, encodeChunk, MAX_CHUNK_POINTS, mergeChunks } from '../points/chunks/chunk-codec.ts'
import { scanBody } from '../points/json/scan-body.ts'
import { writePointsJson } from '../points/json/write-points.ts'
import { emptyColumns, type PointColumns, sortPoints } from '../points/point-columns.ts'
import { computeTrackFigures } from './points-tasks.ts'

/** Enough for the engine to compile the code of tasks; more make no difference. */
const ROUNDS = 6

/** Computes a synthetic track a few times, so that the first track to finish need not wait for compilation. */
export function warmUp(): void {
  const chunks = [encodeChunk(syntheticWalk(MAX_CHUNK_POINTS), 'fast')]
  const settings = { activityType: 'run', maxAccuracyMeters: 50 } as const
  for (let round = 0; round < ROUNDS; round++) computeTrackFigures({ chunks, pauses: [], settings, shown: WHOLE_TRACK })
  mergeChunks(chunks)
}

/** Points of a synthetic request; reading them takes a few milliseconds in cold code. */
const REQUEST_POINTS = 1000
const REQUESTS = 30

/**
 * Reads, encodes and writes synthetic requests, which takes some tens of milliseconds. Phones that waited for the
 * server to come back all send at once, and should not meet code that the engine has not compiled yet. The memory of
 * each is given back at once: left to the collector, it makes an idle process 8 MiB larger for good.
 */
export function warmUpRequests(): void {
  const points = syntheticWalk(REQUEST_POINTS)
  for (let request = 0; request < REQUESTS; request++) {
    const listed = writePointsJson(points, 0, points.count, true)
    const body = Buffer.concat([Buffer.from('{"points":['), listed, Buffer.from(']}')])
    const read = scanBody(body, REQUEST_POINTS)!.points
    const decoded = decodeChunk(encodeChunk(sortPoints(read), 'fast'))
    for (const bytes of [listed, body, memoryOf(read), memoryOf(decoded)]) releaseBytes(bytes)
  }
}

/** Returns the memory that all columns share. */
function memoryOf({ timeMs }: PointColumns): Uint8Array {
  return new Uint8Array(timeMs.buffer)
}

/** Returns a walk around a hill, a point a second, with a receiver's jitter from a fixed sequence. */
function syntheticWalk(count: number): PointColumns {
  const points = emptyColumns(count)
  for (let i = 0; i < count; i++) {
    const jitter = ((i * 7919) % 101) / 101 - 0.5
    points.timeMs[i] = i * 1000
    points.latitude[i] = Math.round((45 + Math.sin(i / 900) / 100 + jitter / 1e5) * 1e7) / 1e7
    points.longitude[i] = Math.round((6 + Math.cos(i / 900) / 100 + jitter / 1e5) * 1e7) / 1e7
    points.altitude[i] = Math.round((1000 + 80 * Math.sin(i / 600) + 2 * jitter) * 10) / 10
    points.speedMps[i] = Math.round((2.6 + jitter) * 100) / 100
    points.accuracy[i] = Math.round((4 + jitter) * 10) / 10
    points.heading[i] = Math.abs(Math.round(i * 0.7 + jitter)) % 360
    points.battery[i] = Math.round((1 - i / 1e5) * 100) / 100
  }
  return points
}
