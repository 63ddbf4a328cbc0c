import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runCourse } from './run-course.ts'

const METERS_PER_DEGREE = 111_195

/** A kilometre to the north: flat for one half, and up by a metre in ten for the other. */
const course = [0, 500, 1000].map((distanceM) => ({
  latitude: distanceM / METERS_PER_DEGREE,
  longitude: 0,
  altitude: Math.max(0, distanceM - 500) / 10,
  distanceM,
}))

/** A run at 3 metres a second, with one leap of the receiver. */
const recorded = Array.from({ length: 1001 }, (_, sec) => ({
  latitude: 45 + (3 * sec) / METERS_PER_DEGREE,
  longitude: sec === 500 ? 7.01 : 7,
  timestamp: new Date(sec * 1000).toISOString(),
}))

describe('runCourse', () => {
  const run = runCourse(course, recorded)

  test('goes from before the start to behind the finish', () => {
    const metersNorth = [run[0], run.at(-1)!].map(({ latitude }) => Math.round(latitude * METERS_PER_DEGREE))

    assert.deepEqual(metersNorth, [-12, 1012])
  })

  test('takes the pace of the recording on the flat, and climbs slower', () => {
    assert.ok(Math.abs(run[100].speed_mps! - 3) < 0.05, String(run[100].speed_mps))
    assert.ok(run[900].speed_mps! > 1.9 && run[900].speed_mps! < 2.3, String(run[900].speed_mps))
  })

  test('does not leap where the receiver did', () => {
    const fastest = Math.max(...run.map(({ speed_mps }) => speed_mps!))

    assert.ok(fastest < 4, String(fastest))
  })
})
