import assert from 'node:assert/strict'
import { cleanPoint } from '../../clients/typescript/src/queue/clean-point.ts'
import type { PointInput } from '../../clients/typescript/src/queue/wire.ts'
import type { TrackQueue } from '../../clients/typescript/src/track-queue.ts'
import type { ScheduleServer } from './schedule-server.ts'

/** A point that was given to the queue. `isAcknowledged` once the queue has said that it is safe. */
export type GivenPoint = { point: PointInput; isBad: boolean; isAcknowledged: boolean }

/** A state that the track was given, and whether the queue has said that this is safe. */
export type GivenState = { state: string; isAcknowledged: boolean }

/**
 * Compares the only track of a queue on the server with what the queue was given.
 * @returns the number of points that the server has, and of those that it has refused
 * @throws AssertionError if a point is lost, doubled, altered or invented, or if the track has another state
 */
export async function compareTrack(
  server: ScheduleServer,
  token: string,
  queue: TrackQueue,
  given: readonly GivenPoint[],
  states: readonly GivenState[],
): Promise<{ stored: number; refused: number }> {
  const [status] = await queue.tracks()
  assert.deepEqual([status.held, status.unsentPoints, status.unsentRequests], [undefined, 0, 0])
  const headers = { 'X-API-Key': token }
  const read = async (path: string) => {
    const response = await server.fetch(`${server.url}/tracks/${status.id}${path}`, { method: 'GET', headers })
    const text = await response.text()
    assert.equal(response.status, 200, text)
    return JSON.parse(text)
  }
  const { points } = (await read('/points')) as { points: { latitude: number }[] }
  const aside = (await queue.setAside()).flatMap((one) => one.points ?? [])
  comparePoints(
    points,
    aside.map(({ point }) => point.latitude as number),
    given,
  )
  if (states.length > 1) {
    const { state } = (await read('')) as { state: string }
    const from = Math.max(
      0,
      states.findLastIndex(({ isAcknowledged }) => isAcknowledged),
    )
    const possible = states.slice(from).map((one) => one.state)
    assert.ok(possible.includes(state), `the track is ${state}, and was last ${possible.join(' or ')}`)
  }
  return { stored: points.length, refused: aside.length }
}

function comparePoints(points: { latitude: number }[], aside: readonly number[], given: readonly GivenPoint[]): void {
  const listed = Map.groupBy(points, ({ latitude }) => latitude)
  const refused = Map.groupBy(aside, (latitude) => latitude)
  for (const { point, isBad, isAcknowledged } of given) {
    const { latitude } = point
    const found = (isBad ? refused : listed).get(latitude) ?? []
    if (isAcknowledged && found.length === 0) assert.fail(`lost: ${JSON.stringify(point)}`)
    if (found.length > 1) assert.fail(`doubled: ${JSON.stringify(point)}`)
    if ((isBad ? listed : refused).has(latitude)) assert.fail(`at the wrong place: ${JSON.stringify(point)}`)
    if (found.length > 0 && !isBad) assert.deepEqual(found, [cleanPoint(point)])
  }
  const known = new Set(given.map(({ point }) => point.latitude))
  for (const latitude of [...listed.keys(), ...refused.keys()]) assert.ok(known.has(latitude), `invented: ${latitude}`)
}
