import { decodeChunk, encodeChunk } from '../chunks/chunk-codec.ts'
import { sortPoints } from '../points/point-order.ts'
import { readPointsBody } from '../wire/read/read-points-body.ts'
import { writePointsJson } from '../wire/write/write-points.ts'
import { syntheticWalk } from './synthetic-walk.ts'

/** Points of a synthetic request; reading them takes a few milliseconds in cold code. */
const REQUEST_POINTS = 1000
const REQUESTS = 30

/**
 * Reads, encodes and writes synthetic requests, which takes some tens of milliseconds. Phones that waited for the server
 * to come back all send at once, and should not meet code that the engine has not compiled yet.
 */
export function warmUpRequests(): void {
  const points = syntheticWalk(REQUEST_POINTS)
  for (let request = 0; request < REQUESTS; request++) {
    const listed = writePointsJson(points, 0, points.count, true)
    const body = Buffer.concat([Buffer.from('{"points":['), listed, Buffer.from(']}')])
    decodeChunk(encodeChunk(sortPoints(readPointsBody(body, REQUEST_POINTS)), 'fast'))
  }
}
