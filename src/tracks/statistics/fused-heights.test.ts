import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { climbUntil, type HillyRun, heightAt, hillyPlace, hillyRun } from '../../../test/support/hilly-course.ts'
import { columnsOf } from '../../../test/support/track-columns.ts'
import { heightsOfLine, type KnownHeights } from './course-line.ts'
import { computeStatistics } from './statistics.ts'

const SECONDS = 2400
const WAY_METERS = 3 * (SECONDS - 1)
/** Metres of the sea above the ellipsoid at the way (EGM96). */
const GEOID_METERS = 50.6

const courseWith = (metersAt: (wayMeters: number) => number): KnownHeights => {
  const places = Array.from({ length: 400 }, (_, i) => hillyPlace(20 * i))
  return heightsOfLine({
    latitude: Float64Array.from(places, ({ latitude }) => latitude),
    longitude: Float64Array.from(places, ({ longitude }) => longitude),
    altitude: Float64Array.from(places, (_, i) => metersAt(20 * i)),
    distanceM: Float64Array.from(places, (_, i) => 20 * i),
  })
}
const trueCourse = courseWith(heightAt)

const statisticsOf = (run: HillyRun, course?: KnownHeights) =>
  computeStatistics(columnsOf(hillyRun(SECONDS, run).map((point, sec) => ({ ...point, sec }))), [], {
    activityType: 'run',
    maxAccuracyMeters: 50,
    course,
  })

describe('climbs along a course', () => {
  test('are nearer to the truth than those of the phone alone, and so is their interval', () => {
    const truth = climbUntil(WAY_METERS)
    const errors = [1, 2, 3, 4].map((seed) => {
      const alone = statisticsOf({ sigmaMeters: 5, seed })
      const along = statisticsOf({ sigmaMeters: 5, seed }, trueCourse)
      assert.deepEqual([alone.method.elevation, along.method.elevation], ['kalman', 'course'])
      const [low, high] = along.elevation_gain_interval_m!
      assert.ok(low <= truth && truth <= high)
      assert.ok(high - low < alone.elevation_gain_interval_m![1] - alone.elevation_gain_interval_m![0])
      return [alone, along].map(({ elevation_gain_m }) => Math.abs(elevation_gain_m - truth))
    })
    const [alone, along] = [0, 1].map((i) => errors.reduce((sum, pair) => sum + pair[i], 0) / errors.length)

    assert.ok(along < alone / 2, `${along} m instead of ${alone} m`)
    assert.ok(along < 0.03 * truth, `${along} m of ${truth} m`)
  })

  test('are those of the phone alone off the course, and beside heights of another place', () => {
    const alone = statisticsOf({ sigmaMeters: 3 })
    const wrongs = {
      away: [{ sigmaMeters: 3, eastMeters: 200 }, trueCourse],
      wrong: [{ sigmaMeters: 3 }, courseWith((meters) => heightAt(meters + 400))],
    } as const
    for (const [name, [run, course]] of Object.entries(wrongs)) {
      const { method, elevation_gain_m } = statisticsOf(run, course)
      assert.equal(method.elevation, 'kalman', name)
      assert.ok(Math.abs(elevation_gain_m - alone.elevation_gain_m) < 0.1, name)
    }
  })

  test('do not believe the course where it leaves the phone far: on a bridge, in a tunnel', () => {
    const tunnel = courseWith((meters) => heightAt(meters) + (meters > 3000 && meters < 3500 ? 120 : 0))

    const { method, elevation_gain_m } = statisticsOf({ sigmaMeters: 3 }, tunnel)

    assert.equal(method.elevation, 'course')
    assert.ok(Math.abs(elevation_gain_m - climbUntil(WAY_METERS)) < 0.05 * climbUntil(WAY_METERS))
  })

  test('leave a barometer nearly as it is', () => {
    const alone = statisticsOf({ sigmaMeters: 0.3 })
    const rough = courseWith((meters) => heightAt(meters) + 2.5 * Math.sin(meters / 40))

    const along = statisticsOf({ sigmaMeters: 0.3 }, rough)

    assert.ok(Math.abs(along.elevation_gain_m - alone.elevation_gain_m) < 0.03 * alone.elevation_gain_m)
  })
})

describe('altitudes of unknown zero', () => {
  test('are above the ellipsoid, or the sea, if the course is that far from them', () => {
    const { method, max_altitude_m } = statisticsOf({ sigmaMeters: 3, aboveMeters: GEOID_METERS + 6 }, trueCourse)
    const sea = statisticsOf({ sigmaMeters: 3, aboveMeters: -6 }, trueCourse)

    assert.deepEqual([method.altitude_reference, method.altitude_reference_source], ['ellipsoid', 'course'])
    assert.deepEqual([sea.method.altitude_reference, sea.method.altitude_reference_source], ['sea_level', 'course'])
    assert.ok(Math.abs(max_altitude_m! - sea.max_altitude_m!) < 10)
  })

  test('stay as sent if they could be either, or are far from both', () => {
    for (const aboveMeters of [GEOID_METERS / 2, -30, 90]) {
      const along = statisticsOf({ sigmaMeters: 3, aboveMeters }, trueCourse)
      const alone = statisticsOf({ sigmaMeters: 3, aboveMeters })

      assert.equal(along.method.altitude_reference, undefined)
      assert.ok(Math.abs(along.max_altitude_m! - alone.max_altitude_m!) < 10)
    }
  })
})
