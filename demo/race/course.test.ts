import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { type CheckpointInput, endsOfCourse, gatesOf, placeCheckpoints } from '../../src/tracks/race/checkpoints.ts'
import { courseShape } from '../../src/tracks/race/course.ts'
import { readGpxCourse } from '../../src/tracks/race/course-worker.ts'
import { follow, newFollowedTrack } from '../../src/tracks/race/follow-track.ts'
import { standingOf } from '../../src/tracks/race/standing.ts'
import { readStartListCsv } from '../../src/tracks/race/start-list.ts'
import { columnsOf, TEST_START_MS } from '../../test/support/track-columns.ts'
import { readRecording } from '../recordings/recordings.ts'
import { planRace } from '../tracks/race-plan.ts'
import { COURSE_PATH, checkpointsBetween, readCourse } from './course.ts'
import { runCourse } from './run-course.ts'
import { startListCsv } from './start-list.ts'

const shape = courseShape(readGpxCourse(readFileSync(COURSE_PATH)).line)

function checkpointsOnCourse() {
  const ends = endsOfCourse(shape, { start: 'Start', finish: 'Finish' }, () => 'id')
  const inputs = checkpointsBetween(ends.map(({ id: _, ...end }) => end)).checkpoints as CheckpointInput[]
  return placeCheckpoints(shape, inputs, () => 'id')
}

describe("the demo's race", () => {
  test('has a course of 9.5 km with its checkpoints, from its own start to its own finish', () => {
    const { checkpoints, errors } = checkpointsOnCourse()

    assert.deepEqual(errors, [])
    const distances = checkpoints.map(({ course_distance_m }) => Math.round(course_distance_m / 100) / 10)
    assert.deepEqual(distances, [0, 0.4, 2.6, 5, 7, 9.5])
  })

  test('is finished by every runner who has arrived, in the order of the checkpoints', async () => {
    const { points } = await readRecording('mosvatnet')
    const gates = gatesOf(shape, checkpointsOnCourse().checkpoints)
    const [fromMs, toMs] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]
    const limits = { maxSpeedMps: 12, maxAccuracyM: 50, fromMs, toMs, trailMs: 0 }
    const settings = { gates, projection: shape.projection, ...limits }

    const { arrived } = planRace(runCourse(readCourse(), points), TEST_START_MS)

    for (const { userId, points: run } of arrived) {
      const track = newFollowedTrack()
      const placed = run.map(({ timestamp, ...point }) => ({
        ...point,
        sec: (Date.parse(timestamp) - TEST_START_MS) / 1000,
      }))
      follow(track, columnsOf(placed), settings)
      const standing = standingOf(track, shape, settings, { untilMs: toMs, nowMs: toMs, gunMs: null })
      const passed = standing.passings.map(({ gate }) => gate)
      assert.deepEqual([userId, standing.state, passed], [userId, 'finished', [0, 1, 2, 3, 4, 5]])
      for (const { intervalSec } of standing.passings) assert.ok(intervalSec < 10, String(intervalSec))
    }
  })

  test('has a start list without faults', () => {
    const { runners, errors } = readStartListCsv(Buffer.from(startListCsv()))

    assert.deepEqual(errors, [])
    assert.equal(runners[0].user_id, 'dossard 1')
  })
})
