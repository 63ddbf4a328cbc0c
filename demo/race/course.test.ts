import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type CheckpointInput, gatesOf, placeCheckpoints } from '../../src/tracks/race/checkpoints.ts'
import { courseShape } from '../../src/tracks/race/course.ts'
import { readGpxCourse } from '../../src/tracks/race/course-worker.ts'
import { follow, newFollowedTrack } from '../../src/tracks/race/follow-track.ts'
import { standingOf } from '../../src/tracks/race/standing.ts'
import { readStartListCsv } from '../../src/tracks/race/start-list.ts'
import { columnsOf, TEST_START_MS } from '../../test/support/track-columns.ts'
import { readRecording } from '../recordings/recordings.ts'
import { checkpoints, courseGpx } from './course.ts'
import { startListCsv } from './start-list.ts'

describe("the demo's race", () => {
  test('has a course of 9 km with its checkpoints, some of which it passes twice', async () => {
    const { points } = await readRecording('mosvatnet')
    const { line } = readGpxCourse(Buffer.from(courseGpx(points)))
    const shape = courseShape(line)

    const placed = placeCheckpoints(shape, checkpoints(points).checkpoints as CheckpointInput[], () => 'id')

    assert.deepEqual(placed.errors, [])
    const distances = placed.checkpoints.map(({ course_distance_m }) => Math.round(course_distance_m / 100) / 10)
    assert.deepEqual(distances, [0, 1, 2.2, 3.9, 5.2, 8.8])
  })

  test('is finished by the recording itself, in the order of the checkpoints', async () => {
    const { points } = await readRecording('mosvatnet')
    const { line } = readGpxCourse(Buffer.from(courseGpx(points)))
    const shape = courseShape(line)
    const inputs = checkpoints(points).checkpoints as CheckpointInput[]
    const gates = gatesOf(shape, placeCheckpoints(shape, inputs, () => 'id').checkpoints)
    const columns = columnsOf(
      points.map(({ timestamp, ...place }) => ({ ...place, sec: (Date.parse(timestamp) - TEST_START_MS) / 1000 })),
    )
    const [fromMs, toMs] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]
    const settings = {
      gates,
      projection: shape.projection,
      maxSpeedMps: 12,
      maxAccuracyM: 50,
      fromMs,
      toMs,
      trailMs: 0,
    }
    const track = newFollowedTrack()

    follow(track, columns, settings)

    const standing = standingOf(track, shape, settings, { untilMs: toMs, nowMs: toMs, gunMs: null })
    assert.deepEqual([standing.state, standing.passings.map(({ gate }) => gate)], ['finished', [0, 1, 2, 3, 4, 5]])
    for (const { intervalSec } of standing.passings) assert.ok(intervalSec < 10, String(intervalSec))
  })

  test('has a start list without faults', () => {
    const { runners, errors } = readStartListCsv(Buffer.from(startListCsv()))

    assert.deepEqual(errors, [])
    assert.equal(runners[0].user_id, 'dossard 1')
  })
})
