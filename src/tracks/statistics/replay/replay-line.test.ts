import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DEVICE_FILES, pointsOf, readDeviceFile } from '../../../../test/support/read-device-file.ts'
import { columnsOf, northward, TEST_START_MS } from '../../../../test/support/track-columns.ts'
import { computeStatistics } from '../statistics.ts'
import { computeReplayLine } from './replay-line.ts'

const SETTINGS = { activityType: 'run', maxAccuracyMeters: 50 } as const
const ALL = { fromMs: Number.NEGATIVE_INFINITY, untilMs: Number.POSITIVE_INFINITY, maxPositions: 300 }

describe('computeReplayLine', () => {
  for (const name of DEVICE_FILES) {
    test(`of ${name} ends with the distance of the statistics`, async () => {
      const file = await readDeviceFile(name)
      const points = pointsOf(file)
      const settings = { activityType: file.activityType, maxAccuracyMeters: 50 }

      const line = computeReplayLine(points, [], settings, ALL)

      assert.ok(line.timeMs.length <= 300)
      assert.equal(line.distanceMeters.at(-1), computeStatistics(points, [], settings).distanceMeters)
    })
  }

  test('has only the part that is shown, with its distance from 0', () => {
    const points = columnsOf(northward(100, 10, (i) => i * 30))
    const part = { ...ALL, fromMs: TEST_START_MS + 200_000, untilMs: TEST_START_MS + 500_000 }

    const line = computeReplayLine(points, [], SETTINGS, part)

    assert.deepEqual([line.timeMs[0], line.timeMs.at(-1)], [part.fromMs, part.untilMs])
    assert.deepEqual([line.distanceMeters[0], Math.round(line.distanceMeters.at(-1)!)], [0, 900])
  })

  test('leaves out an excursion of the receiver', () => {
    const points = columnsOf(northward(100, 10, (i) => i * 30 + (i === 50 ? 20_000 : 0)))

    const line = computeReplayLine(points, [], SETTINGS, ALL)

    assert.deepEqual(line.timeMs.length, 2)
  })

  test('is empty when nothing is shown', () => {
    const points = columnsOf(northward(10, 10, (i) => i * 30))

    assert.equal(computeReplayLine(points, [], SETTINGS, { ...ALL, untilMs: TEST_START_MS - 1 }).timeMs.length, 0)
  })
})
