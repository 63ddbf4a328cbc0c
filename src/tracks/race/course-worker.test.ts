import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { placeAt } from '../../../test/support/make-course.ts'
import { wanderingNoise } from '../../../test/support/wandering-noise.ts'
import { type CourseLine, decodeCourseLine, encodeCourseLine } from '../statistics/course-line.ts'
import { courseClimb, courseLength, distancesAlong, withoutAltitudeLeaps } from './course.ts'
import { simplifyLine } from './course-worker.ts'

/** Returns a line eastwards, a place every ten metres, at a distance to the north and a height. */
function lineOf(count: number, north: (i: number) => number, height: (i: number) => number = () => 0): CourseLine {
  const places = Array.from({ length: count }, (_, i) => placeAt(i * 10, north(i)))
  const latitude = Float64Array.from(places, (place) => place.latitude)
  const longitude = Float64Array.from(places, (place) => place.longitude)
  const altitude = Float64Array.from(places, (_, i) => height(i))
  return { latitude, longitude, altitude, distanceM: distancesAlong(latitude, longitude) }
}

describe('simplifyLine', () => {
  test('keeps bends and summits, leaves out what is straight, and keeps the length', () => {
    const line = lineOf(
      101,
      (i) => (i < 50 ? 0 : (i - 50) * 10),
      (i) => (i === 20 ? 30 : 0),
    )

    const simplified = simplifyLine(line)

    const kept = [...simplified.distanceM].map((meters) => Math.round(meters / 10))
    for (const place of [0, 20, 50]) assert.ok(kept.includes(place), kept.join())
    assert.ok(kept.length < 10)
    assert.equal(courseLength(simplified), courseLength(line))
  })

  test('bounds the places of a line, however restless it is', () => {
    const restless = lineOf(60_000, (i) => ((i * 7919) % 101) / 10)

    const simplified = simplifyLine(restless)

    assert.ok(simplified.latitude.length <= 20_000, String(simplified.latitude.length))
    assert.equal(courseLength(simplified), courseLength(restless))
  })
})

describe('withoutAltitudeLeaps', () => {
  test('replaces heights that leap away and back, and leaves slopes and what is unknown', () => {
    const slope = (i: number) => (i === 70 ? Number.NaN : 500 + i)
    const leaping = lineOf(
      100,
      () => 0,
      (i) => (i >= 40 && i < 45 ? 142 : slope(i)),
    )

    const { altitude, distanceM } = withoutAltitudeLeaps(leaping)

    assert.equal(distanceM, leaping.distanceM)
    for (const [i, meters] of altitude.entries()) {
      const wanted = slope(i)
      assert.ok(Number.isNaN(wanted) ? Number.isNaN(meters) : Math.abs(meters - wanted) < 0.01, `${i}: ${meters}`)
    }
  })

  test('keeps a leap that does not come back', () => {
    const cliff = lineOf(
      100,
      () => 0,
      (i) => (i < 50 ? 500 : 800),
    )

    assert.equal(withoutAltitudeLeaps(cliff), cliff)
  })
})

describe('courseClimb', () => {
  /** Ten hills of 60 m, each over 1 km, with errors of the model of the terrain. */
  const hills = (errors: number[]) =>
    lineOf(
      errors.length,
      () => 0,
      (i) => 30 - 30 * Math.cos((i * Math.PI) / 50) + errors[i],
    )

  test('is hardly raised by the errors of the heights', () => {
    const climbM = courseClimb(hills(wanderingNoise(1001, 3, { keep: Math.exp(-1 / 5), seed: 7 })))

    // The sum of all reversals of 3 m is more than twice as much.
    assert.ok(Math.abs(climbM! - 600) < 90, String(climbM))
  })

  test('is the sum of the rises where heights have no noise, but not of the steps of a model', () => {
    const slopes = lineOf(
      1001,
      () => 0,
      (i) => Math.abs((i % 100) - 50) + (i % 100 === 25 ? 2 : 0),
    )

    assert.equal(courseClimb(slopes), 500)
  })

  test('needs two heights', () => {
    const line = lineOf(
      50,
      () => 0,
      (i) => (i === 7 ? 100 : Number.NaN),
    )

    assert.equal(courseClimb(line), null)
  })
})

describe('encodeCourseLine', () => {
  test('is undone by decodeCourseLine, unknown altitudes included', () => {
    const line = lineOf(
      5,
      (i) => i,
      (i) => (i === 2 ? Number.NaN : i),
    )

    assert.deepEqual(decodeCourseLine(encodeCourseLine(line)), line)
  })
})
