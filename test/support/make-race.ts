import { sortPoints } from '../../src/tracks/points/point-columns.ts'
import { type Checkpoint, type CheckpointShape, gatesOf } from '../../src/tracks/race/checkpoints.ts'
import { courseShape, distancesAlong } from '../../src/tracks/race/course.ts'
import {
  type FollowedTrack,
  type FollowSettings,
  follow,
  newFollowedTrack,
} from '../../src/tracks/race/follow-track.ts'
import { type Standing, standingOf } from '../../src/tracks/race/standing.ts'
import type { CourseLine } from '../../src/tracks/statistics/course-line.ts'
import { placeAt } from './make-course.ts'
import { columnsOf, TEST_START_MS, type TestPoint } from './track-columns.ts'

/** Metres east and north of the origin of the tests. */
export type At = readonly [east: number, north: number]

/** Checkpoints by their kind, name, distance along the course, and shape in metres. */
export type TestGate = {
  kind: Checkpoint['kind']
  courseM: number
  line?: readonly [At, At]
  circle?: readonly [At, number]
}

/** A race for tests of what is computed from points. */
export type TestRace = ReturnType<typeof makeRace>

/** Returns a race on a course through places, with gates. */
export function makeRace(course: readonly At[], testGates: readonly TestGate[], over: Partial<FollowSettings> = {}) {
  const shape = courseShape(lineThrough(course))
  const checkpoints = testGates.map(({ kind, courseM, line, circle }, i): Checkpoint => {
    const at = line === undefined ? circle![0] : line[0]
    const checkpointShape: CheckpointShape =
      line === undefined
        ? { type: 'circle', ...placeAt(...at), radius_m: circle![1] }
        : { type: 'line', from: placeAt(...line[0]), to: placeAt(...line[1]) }
    return { id: String(i), name: String(i), kind, course_distance_m: courseM, shape: checkpointShape }
  })
  const settings: FollowSettings = {
    gates: gatesOf(shape, checkpoints),
    projection: shape.projection,
    maxSpeedMps: 12,
    maxAccuracyM: 50,
    fromMs: Number.NEGATIVE_INFINITY,
    toMs: Number.POSITIVE_INFINITY,
    trailMs: 0,
    ...over,
  }
  function followed(points: readonly TestPoint[], cuts: readonly number[] = []): FollowedTrack {
    const track = newFollowedTrack()
    const sorted = [...points].sort((a, b) => a.sec - b.sec)
    const bounds = [0, ...cuts, sorted.length]
    for (let i = 1; i < bounds.length; i++) {
      follow(track, sortPoints(columnsOf(sorted.slice(bounds[i - 1], bounds[i]))), settings)
    }
    return track
  }
  function standing(
    track: FollowedTrack,
    {
      untilSec = Number.POSITIVE_INFINITY,
      nowSec = Number.POSITIVE_INFINITY,
      gunSec = undefined as number | undefined,
    } = {},
  ) {
    const gunMs = gunSec === undefined ? null : TEST_START_MS + gunSec * 1000
    return standingOf(track, shape, settings, {
      untilMs: TEST_START_MS + untilSec * 1000,
      nowMs: TEST_START_MS + nowSec * 1000,
      gunMs,
    })
  }
  return {
    shape,
    settings,
    checkpoints,
    followed,
    standing,
    standingAfter: (points: readonly TestPoint[]): Standing => standing(followed(points)),
  }
}

/** Returns the passings of a standing as gate and seconds, rounded to a tenth. */
export function passingsOf({ passings }: Standing): [gate: number, sec: number][] {
  return passings.map(({ gate, timeMs }) => [gate, Math.round((timeMs - TEST_START_MS) / 100) / 10])
}

function lineThrough(course: readonly At[]): CourseLine {
  const places = course.map((at) => placeAt(...at))
  const latitude = Float64Array.from(places, (place) => place.latitude)
  const longitude = Float64Array.from(places, (place) => place.longitude)
  const altitude = new Float64Array(places.length).fill(Number.NaN)
  return { latitude, longitude, altitude, distanceM: distancesAlong(latitude, longitude) }
}

/** A way at a constant speed, recorded at even distances in time. */
export type TestRun = { startSec?: number; speedMps?: number; everySec?: number; accuracy?: number }

/** Returns the points of someone who runs through places. The last place is reached, and recorded. */
export function runThrough(places: readonly At[], run: TestRun = {}): TestPoint[] {
  const { startSec = 0, speedMps = 3, everySec = 1, accuracy = 4 } = run
  const lengths = places.map((at, i) => (i === 0 ? 0 : Math.hypot(at[0] - places[i - 1][0], at[1] - places[i - 1][1])))
  const totalSec = lengths.reduce((sum, length) => sum + length, 0) / speedMps
  const points: TestPoint[] = []
  for (let sec = 0; sec < totalSec; sec += everySec) points.push(pointAt(sec))
  points.push(pointAt(totalSec))
  return points

  function pointAt(sec: number): TestPoint {
    let leftM = sec * speedMps
    let i = 1
    while (i < places.length - 1 && leftM > lengths[i]) leftM -= lengths[i++]
    const f = lengths[i] === 0 ? 0 : Math.min(1, leftM / lengths[i])
    const at = [0, 1].map((axis) => places[i - 1][axis] + f * (places[i][axis] - places[i - 1][axis]))
    return { sec: Math.round((startSec + sec) * 1000) / 1000, ...placeAt(at[0], at[1]), accuracy }
  }
}
