import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  columnsOf,
  DEGREES_PER_METER,
  northward,
  TEST_START_MS,
  type TestPoint,
} from '../../../test/support/track-columns.ts'
import { examineTrack } from './examined-track.ts'
import { longStops } from './stops.ts'

const SETTINGS = { activityType: 'run', maxAccuracyMeters: 50 } as const

/** Returns the stops of a track as the seconds in which they begin and end. */
function stopsOf(points: TestPoint[], pauses: { fromMs: number; toMs: number }[] = []) {
  const track = examineTrack(columnsOf(points), pauses, SETTINGS)
  const secOf = (index: number) => (track.trace.timeMs[index] - TEST_START_MS) / 1000
  return longStops(track).map(({ from, to }) => [secOf(from), secOf(to)])
}

/** A run of 3 m/s with a point every 5 s that stands from second 1000 for some seconds, `sway` metres to and fro. */
const runWithStop = (stopSec: number, sway = 0) =>
  northward(600, 5, (i) => 3 * (Math.min(5 * i, 1000) + Math.max(0, 5 * i - 1000 - stopSec))).map((point, i) =>
    point.sec > 1000 && point.sec < 1000 + stopSec
      ? { ...point, longitude: Math.sin(i) * sway * DEGREES_PER_METER }
      : point,
  )

/** Asserts that there is one stop, within 15 s of a time. */
function assertStop(stops: number[][], from: number, to: number) {
  assert.equal(stops.length, 1, JSON.stringify(stops))
  const [[first, last]] = stops
  assert.ok(Math.abs(first - from) <= 15 && Math.abs(last - to) <= 15, `${first} to ${last}, not ${from} to ${to}`)
}

describe('longStops', () => {
  test('finds a stop of a phone that lies still, and of one whose positions wander', () => {
    assertStop(stopsOf(runWithStop(1320)), 1000, 2320)
    assertStop(stopsOf(runWithStop(1320, 12)), 1000, 2320)
  })

  test('finds a stop during which the phone recorded nothing, or a point now and then', () => {
    const standing = ({ sec }: TestPoint) => sec > 1000 && sec < 2320
    const points = runWithStop(1320, 12)

    assertStop(stopsOf(points.filter((point) => !standing(point))), 1000, 2320)
    assertStop(stopsOf(points.filter((point) => !standing(point) || point.sec % 600 < 10)), 1000, 2320)
  })

  test('finds an interruption over which the phone was carried slowly', () => {
    const points = northward(600, 5, (i) => (i < 200 ? 15 * i : 15 * i + 200)).map((point, i) =>
      i < 200 ? point : { ...point, sec: point.sec + 3600 },
    )

    assertStop(stopsOf(points), 995, 4600)
  })

  test('leaves out short stops, slow climbs and declared pauses', () => {
    assert.deepEqual(stopsOf(runWithStop(150)), [])
    assert.deepEqual(stopsOf(northward(600, 5, (i) => i * 1.2)), [])
    const pause = { fromMs: TEST_START_MS + 1_001_000, toMs: TEST_START_MS + 2_319_000 }
    assert.deepEqual(stopsOf(runWithStop(1320), [pause]), [])
  })

  test('finds each of several stops, and none without points', () => {
    const twice = [...runWithStop(300), ...runWithStop(300).map((point) => ({ ...point, sec: point.sec + 10_000 }))]

    assert.deepEqual(stopsOf([]), [])
    assert.equal(stopsOf(twice).length, 2)
  })
})
