import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { longitudeSpan, unwrapLongitudes, unwrapRing } from './unwrap-longitudes.ts'

describe('a line over the antimeridian', () => {
  test('goes on beyond 180 degrees, either way and back', () => {
    assert.deepEqual(unwrapLongitudes([179, -179, -178, 179]), [179, 181, 182, 179])
    assert.deepEqual(unwrapLongitudes([-179, 179]), [-179, -181])
  })

  test('elsewhere is left as it is', () => {
    assert.deepEqual(unwrapLongitudes([-10, 0, 10]), [-10, 0, 10])
  })
})

describe('an outline over the antimeridian', () => {
  test('stays in one piece', () => {
    const outline = [
      [179, 1],
      [-179, 1],
      [-179, 2],
      [179, 1],
    ]

    assert.deepEqual(
      unwrapRing(outline).map(([longitude]) => longitude),
      [179, 181, 181, 179],
    )
  })

  test('that goes around the pole is left as it is', () => {
    const outline = [
      [-180, -80],
      [-60, -75],
      [60, -75],
      [180, -80],
      [-180, -80],
    ]

    assert.deepEqual(unwrapRing(outline), outline)
  })
})

describe('the span of longitudes', () => {
  test('is the narrow one, over the antimeridian or over the meridian of Greenwich', () => {
    assert.deepEqual(longitudeSpan([179, -178]), { west: 179, east: 182 })
    assert.deepEqual(longitudeSpan([-1, 2]), { west: -1, east: 2 })
  })

  test('is the usual one for what is spread over the world', () => {
    assert.deepEqual(longitudeSpan([-123, -4, 121]), { west: -123, east: 121 })
  })

  test('takes those that go on beyond 180 degrees for what they mean', () => {
    assert.deepEqual(longitudeSpan([181, -178, 179]), { west: 179, east: 182 })
  })
})
