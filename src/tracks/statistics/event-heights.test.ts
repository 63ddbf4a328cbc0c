import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { heightAt, hillyPlace, hillyRun } from '../../../test/support/hilly-course.ts'
import { columnsOf } from '../../../test/support/track-columns.ts'
import { wanderingNoise } from '../../../test/support/wandering-noise.ts'
import type { CourseLine } from './course-line.ts'
import { evenLine, eventHeights, heightsAlong } from './event-heights.ts'
import { examineTrack } from './examined-track.ts'

const SECONDS = 1500
const PLACES = 200
/** A course whose heights are off by 4 m over some hundred metres, as from a coarse model of the terrain. */
const errors = wanderingNoise(PLACES, 4, { keep: Math.exp(-1 / 5), seed: 99 })
const places = Array.from({ length: PLACES }, (_, i) => hillyPlace(20 * i))
const line: CourseLine = evenLine({
  latitude: Float64Array.from(places, ({ latitude }) => latitude),
  longitude: Float64Array.from(places, ({ longitude }) => longitude),
  altitude: Float64Array.from(places, (_, i) => heightAt(20 * i) + errors[i]),
  distanceM: Float64Array.from(places, (_, i) => 20 * i),
})

function phone(seed: number, aboveMeters = 0, seconds = SECONDS): Float64Array {
  const points = hillyRun(seconds, { sigmaMeters: 4, aboveMeters, seed }).map((point, sec) => ({ ...point, sec }))
  const track = examineTrack(columnsOf(points), [], { activityType: 'run', maxAccuracyMeters: 50 })
  return heightsAlong(line)(track.altitudes, track.trace)
}

/** Returns the standard deviation of heights from the true ones, up to the place where the phones end. */
function errorOf(heights: Float64Array, untilPlace = PLACES): number {
  const apart = Array.from(heights.subarray(0, untilPlace), (meters, i) => meters - heightAt(line.distanceM[i]))
  const mean = apart.reduce((sum, meters) => sum + meters, 0) / apart.length
  return Math.sqrt(apart.reduce((sum, meters) => sum + (meters - mean) ** 2, 0) / apart.length)
}

describe('eventHeights', () => {
  const phones = Array.from({ length: 12 }, (_, i) => phone(i + 1, 9 * (i % 3)))

  test('are nearer to the truth than the course and each phone, whatever constant errors phones have', () => {
    const heights = eventHeights(line, phones)!

    assert.ok(errorOf(heights) < errorOf(line.altitude) / 2, `${errorOf(heights)} and ${errorOf(line.altitude)} m`)
  })

  test('have the level of the course', () => {
    const heights = eventHeights(line, phones)!

    const apart = heights.map((meters, i) => meters - line.altitude[i]).sort()
    assert.ok(Math.abs(apart[PLACES / 2]) < 1, String(apart[PLACES / 2]))
  })

  test('are those of the course where fewer than five people have been, so that they tell of nobody', () => {
    const far = [phone(31), phone(32), phone(33), phone(34)]
    const near = Array.from({ length: 8 }, (_, i) => phone(i + 41, 0, SECONDS / 2))

    const heights = eventHeights(line, [...near, ...far])!

    const beyond = Math.ceil((3 * SECONDS) / 2 / 20) + 1
    assert.deepEqual(heights.subarray(beyond), line.altitude.subarray(beyond))
    assert.notDeepEqual(heights.subarray(0, beyond), line.altitude.subarray(0, beyond))
    assert.equal(eventHeights(line, far), undefined)
  })

  test('leave out a phone that measures something else', () => {
    const elsewhere = phones[0].map((meters, i) => meters + 200 * Math.sin(i))

    const heights = eventHeights(line, [...phones, elsewhere])!

    assert.ok(errorOf(heights) < errorOf(line.altitude) / 2)
  })
})
