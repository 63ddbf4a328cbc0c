import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DEVICE_FILES, pointsOf, readDeviceFile } from '../../../test/support/read-device-file.ts'
import { columnsOf, northward, TEST_START_MS } from '../../../test/support/track-columns.ts'
import type { Pause } from '../model/track-state.ts'
import { examineTrack, type StatisticsSettings } from './examined-track.ts'
import { computeSplits, type TrackSplit } from './splits.ts'
import { computeStatistics } from './statistics.ts'

const SETTINGS: StatisticsSettings = { activityType: 'run', maxAccuracyMeters: 50 }

const splitsOf = (points: Parameters<typeof columnsOf>[0], pauses: Pause[] = []) =>
  computeSplits(examineTrack(columnsOf(points), pauses, SETTINGS), SETTINGS, 1000)
const sum = (splits: readonly TrackSplit[], of: (split: TrackSplit) => number) =>
  splits.reduce((total, split) => total + of(split), 0)
const close = (a: number, b: number, within = 1e-6) => assert.ok(Math.abs(a - b) <= within, `${a} is not ${b}`)
const seconds = ({ startMs, endMs }: TrackSplit) => (endMs - startMs) / 1000

describe('computeSplits', () => {
  for (const name of DEVICE_FILES) {
    test(`the kilometres of ${name} add up to its statistics`, async () => {
      const file = await readDeviceFile(name)
      const points = pointsOf(file)
      const settings = { activityType: file.activityType, maxAccuracyMeters: 50 }
      const statistics = computeStatistics(points, [], settings)

      const splits = computeSplits(examineTrack(points, [], settings), settings, 1000)

      close(
        sum(splits, ({ distanceMeters }) => distanceMeters),
        statistics.distance_meters,
      )
      close(
        sum(splits, ({ movingTimeSec }) => movingTimeSec),
        statistics.moving_time_sec,
      )
      close(
        sum(splits, ({ gainMeters }) => gainMeters),
        statistics.elevation_gain_m,
      )
      close(
        sum(splits, ({ lossMeters }) => lossMeters),
        statistics.elevation_loss_m,
      )
      close(sum(splits, seconds), statistics.duration_sec, 0.5)
      for (const split of splits.slice(0, -1)) close(split.distanceMeters, 1000)
      for (const [i, split] of splits.slice(1).entries()) assert.equal(split.startMs, splits[i].endMs)
      for (const { gainMeters, lossMeters, movingTimeSec } of splits)
        assert.ok(gainMeters >= 0 && lossMeters >= 0 && movingTimeSec >= 0)
    })
  }

  test('ends a kilometre at the right place between two points', () => {
    const splits = splitsOf(northward(3, 300, (i) => i * 800))

    assert.deepEqual(
      splits.map(({ distanceMeters }) => Math.round(distanceMeters)),
      [1000, 600],
    )
    close(splits[0].endMs, TEST_START_MS + 375_000, 1)
  })

  test('are of any length, such as a mile', () => {
    const track = examineTrack(columnsOf(northward(11, 100, (i) => i * 400)), [], SETTINGS)

    const splits = computeSplits(track, SETTINGS, 1609.344)

    assert.deepEqual(
      splits.map(({ distanceMeters }) => Math.round(distanceMeters)),
      [1609, 1609, 781],
    )
  })

  test('splits one leg into several kilometres', () => {
    const splits = splitsOf(northward(2, 1000, (i) => i * 3500))

    assert.deepEqual(
      splits.map((split) => Math.round(seconds(split))),
      [286, 286, 286, 143],
    )
  })

  test('adds standing after the last full kilometre to it', () => {
    const walk = northward(11, 30, (i) => i * 100.00001)
    const splits = splitsOf([...walk, { ...walk[10], sec: 900 }])

    assert.deepEqual(splits.map(seconds), [900])
  })

  test('adds the time of a pause, and no distance', () => {
    const points = northward(21, 60, (i) => i * 100)
    const pause = { fromMs: TEST_START_MS + 130_000, toMs: TEST_START_MS + 170_000 }

    const splits = splitsOf(points, [pause])

    assert.deepEqual(
      splits.map(({ distanceMeters }) => Math.round(distanceMeters)),
      [1000, 900],
    )
    close(seconds(splits[0]), 660, 1)
  })

  test('returns none without a leg', () => {
    assert.deepEqual(splitsOf([]), [])
    assert.deepEqual(splitsOf([{ sec: 0 }]), [])
  })

  test('returns one for the whole time without any distance', () => {
    const splits = splitsOf([{ sec: 0 }, { sec: 60 }])

    assert.deepEqual(
      splits.map((split) => [split.distanceMeters, seconds(split)]),
      [[0, 60]],
    )
  })

  test('returns few for a track that circles the globe many times', () => {
    const points = Array.from({ length: 2000 }, (_, i) => ({ sec: i, longitude: (i % 2) * 170 }))

    const splits = splitsOf(points)

    assert.ok(splits.length > 1000 && splits.length <= 10_001, `${splits.length}`)
  })
})
