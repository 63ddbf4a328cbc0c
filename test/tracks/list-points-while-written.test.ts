import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeTracks } from '../support/describe-service.ts'
import { makePoints, type WirePoint } from '../support/make-points.ts'

const START_MS = Date.UTC(2026, 4, 3, 6)

describeTracks('GET /tracks/:id/points while points arrive', async ({ service }) => {
  test('omits no point that was acknowledged before', async () => {
    const created = await service.request('POST', '/sync', {
      track: { device_track_id: 'written-while-read' },
      points: makePoints(2000, START_MS),
    })
    const { track_id } = (await created.json()) as { track_id: string }
    const newest = new Date(START_MS + 1999_000).toISOString()

    // Late points come before the newest one and would push it out of a range of fixed length.
    const late = Array.from({ length: 20 }, (_, i) => makePoints(50, START_MS + i * 60_000 + 500))
    const [answers] = await Promise.all([
      Promise.all(late.map(() => service.request('GET', `/tracks/${track_id}/points`).then((each) => each.json()))),
      Promise.all(late.map((points) => service.request('POST', `/tracks/${track_id}/points`, { points }))),
    ])

    for (const { count, points } of answers as { count: number; points: WirePoint[] }[]) {
      assert.equal(points.length, count)
      assert.equal(points.at(-1)?.timestamp, newest)
      assert.ok(count >= 2000)
    }
  })
})
