import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { heightAt, hillyPlace } from '../../../test/support/hilly-course.ts'
import { type CourseLine, courseHeights, encodeCourseLine, heightsOfLine } from './course-line.ts'

/** A line through places, with their heights. */
function lineOf(places: { latitude: number; longitude: number; meters: number }[]): CourseLine {
  return {
    latitude: Float64Array.from(places, ({ latitude }) => latitude),
    longitude: Float64Array.from(places, ({ longitude }) => longitude),
    altitude: Float64Array.from(places, ({ meters }) => meters),
    distanceM: Float64Array.from(places, (_, i) => 20 * i),
  }
}

const hills = Array.from({ length: 200 }, (_, i) => ({ ...hillyPlace(20 * i), meters: heightAt(20 * i) }))

describe('the heights of a course', () => {
  test('are those between its places, the less on it the further away', () => {
    const heightOf = heightsOfLine(lineOf(hills)).along()
    const found = [0, 10, 24, 30, 49, 60].map((eastMeters) => {
      const { latitude, longitude } = hillyPlace(1515, eastMeters)
      return heightOf(latitude, longitude)
    })

    for (const each of found.slice(0, 5)) assert.ok(Math.abs(each!.meters - heightAt(1515)) < 0.5)
    const shares = found.map((each) => each?.share)
    assert.deepEqual(shares.slice(0, 3), [1, 1, 1])
    assert.ok(shares[3]! < 0.85 && shares[3]! > shares[4]! && shares[4]! > 0)
    assert.equal(shares[5], undefined)
  })

  test('are found on legs far longer than the squares in which they are looked for', () => {
    const heightOf = heightsOfLine(
      lineOf([
        { ...hillyPlace(0), meters: 100 },
        { ...hillyPlace(5000, 3000), meters: 600 },
      ]),
    ).along()
    for (const part of [0.01, 0.237, 0.5, 0.92]) {
      const { latitude, longitude } = hillyPlace(5000 * part, 3000 * part)
      assert.ok(Math.abs(heightOf(latitude, longitude)!.meters - (100 + 500 * part)) < 1, `at ${part}`)
    }
  })

  test('stay those of the pass that a track is on, where the course crosses itself on a bridge', () => {
    const under = Array.from({ length: 60 }, (_, i) => ({ ...hillyPlace(20 * i), meters: 100 }))
    const over = Array.from({ length: 60 }, (_, i) => ({ ...hillyPlace(602, 20 * i - 600), meters: 130 }))
    const heightOf = heightsOfLine(lineOf([...under, ...over])).along()

    const heights = Array.from({ length: 120 }, (_, i) => {
      const { latitude, longitude } = hillyPlace(10 * i, 4)
      return heightOf(latitude, longitude)!.meters
    })

    assert.deepEqual(new Set(heights), new Set([100]))
  })

  test('are unknown without altitudes, and between places of which one has none', () => {
    const none = lineOf(hills.map((place) => ({ ...place, meters: Number.NaN })))
    const some = lineOf(hills.map((place, i) => ({ ...place, meters: i === 50 ? Number.NaN : place.meters })))
    const heightOf = courseHeights({ line: encodeCourseLine(some), source: 'course' })!.along()

    assert.equal(courseHeights({ line: encodeCourseLine(none), source: 'course' }), undefined)
    for (const [meters, isKnown] of [
      [970, true],
      [990, false],
      [1010, false],
      [1030, true],
    ] as const) {
      const { latitude, longitude } = hillyPlace(meters)
      assert.equal(heightOf(latitude, longitude) !== undefined, isKnown, `at ${meters} m`)
    }
  })
})
