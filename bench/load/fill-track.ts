import type { Target } from '../program/target.ts'
import { Connection } from './connection.ts'
import { pointsRequest } from './points-request.ts'
import { WALK_START_MS, walk } from './walk.ts'

const POINTS_PER_REQUEST = 10_000

/**
 * Adds points to a track in requests of 10,000, each with the same course, from second `fromSec` on. `points` must be a
 * multiple of 10,000.
 */
export async function fillTrack(server: Target, trackId: string, points: number, fromSec = 0): Promise<void> {
  const connection = await Connection.open(server.url)
  const request = pointsRequest(server, trackId, walk(POINTS_PER_REQUEST, 7))
  for (let sent = 0; sent < points; sent += POINTS_PER_REQUEST) {
    request.moveTo(WALK_START_MS + (fromSec + sent) * 1000)
    const { status } = await connection.exchange(request.bytes)
    if (status !== 204) throw new Error(`${server.name} answered ${status}`)
  }
  connection.close()
}
