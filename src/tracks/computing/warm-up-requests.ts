import { releaseBytes } from '#platform/release-bytes.ts'
import { decodeChunk, encodeChunk } from '../chunks/chunk-codec.ts'
import type { PointColumns } from '../points/point-columns.ts'
import { sortPoints } from '../points/point-order.ts'
import { readPointsBody } from '../wire/read/read-points-body.ts'
import { writePointsJson } from '../wire/write/write-points.ts'
import { syntheticWalk } from './synthetic-walk.ts'

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
    const read = readPointsBody(body, REQUEST_POINTS)
    const decoded = decodeChunk(encodeChunk(sortPoints(read), 'fast'))
    for (const bytes of [listed, body, memoryOf(read), memoryOf(decoded)]) releaseBytes(bytes)
  }
}

/** Returns the memory that all columns share. */
function memoryOf({ timeMs }: PointColumns): Uint8Array {
  return new Uint8Array(timeMs.buffer)
}
