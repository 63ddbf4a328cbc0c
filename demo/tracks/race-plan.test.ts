import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { planRace } from './race-plan.ts'

const NOW_MS = Date.UTC(2026, 4, 3, 12)
const route = Array.from({ length: 61 }, (_, i) => ({
  latitude: 58.9,
  longitude: 5.7,
  timestamp: new Date(i * 60_000).toISOString(),
}))

function endsMs({ points }: { points: readonly { timestamp: string }[] }): number {
  return Date.parse(points[points.length - 1].timestamp)
}

describe('planRace', () => {
  test('has arrivals before now, and all others after', () => {
    const { arrived, underWay } = planRace(route, NOW_MS)

    assert.ok(arrived.every((track) => endsMs(track) < NOW_MS))
    assert.ok(underWay.every((track) => endsMs(track) > NOW_MS && Date.parse(track.points[0].timestamp) < NOW_MS))
  })

  test('gives every runner a unique number, including later starters', () => {
    const plan = planRace(route, NOW_MS)
    const tracks = [...plan.arrived, ...plan.underWay, plan.next(NOW_MS), plan.next(NOW_MS)]

    assert.equal(new Set(tracks.map(({ deviceTrackId }) => deviceTrackId)).size, tracks.length)
    assert.equal(tracks.at(-1)!.userId, `dossard ${tracks.length}`)
    assert.equal(tracks.at(-1)!.points[0].timestamp, '2026-05-03T12:00:00.000Z')
  })
})
