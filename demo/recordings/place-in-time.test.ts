import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { placeInTime } from './place-in-time.ts'

const point = (timestamp: string, speed?: number) => ({ latitude: 1, longitude: 2, timestamp, speed_mps: speed })

describe('placeInTime', () => {
  test('starts at the given time and pace, with matching speeds', () => {
    const recorded = [point('2015-08-15T14:00:00Z', 2), point('2015-08-15T14:00:10Z', 3)]

    const placed = placeInTime(recorded, { startMs: Date.UTC(2026, 4, 3), factor: 1.25 })

    assert.deepEqual(
      placed.map(({ timestamp, speed_mps }) => [timestamp, speed_mps]),
      [
        ['2026-05-03T00:00:00.000Z', 2.5],
        ['2026-05-03T00:00:08.000Z', 3.75],
      ],
    )
  })

  test('shortens longer gaps to three minutes, and never goes back in time', () => {
    const recorded = [point('2015-08-15T14:00:00Z'), point('2016-01-01T00:00:00Z'), point('2015-12-01T00:00:00Z')]

    const placed = placeInTime(recorded, { startMs: 0, factor: 1 })

    assert.deepEqual(
      placed.map(({ timestamp }) => Date.parse(timestamp)),
      [0, 180_000, 180_000],
    )
  })
})
