import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { longitudeSpan, unwrapLongitudes, unwrapRing } from './coordinates.ts'

describe('unwrapLongitudes', () => {
  test('continues beyond 180 degrees, in both directions and back', () => {
    assert.deepEqual(unwrapLongitudes([179, -179, -178, 179]), [179, 181, 182, 179])
    assert.deepEqual(unwrapLongitudes([-179, 179]), [-179, -181])
  })

  test('leaves other lines unchanged', () => {
    assert.deepEqual(unwrapLongitudes([-10, 0, 10]), [-10, 0, 10])
  })
})

describe('unwrapRing', () => {
  test('keeps an outline across the antimeridian in one piece', () => {
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

  test('leaves an outline around a pole unchanged', () => {
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

describe('longitudeSpan', () => {
  test('returns the narrower span, across the antimeridian or across Greenwich', () => {
    assert.deepEqual(longitudeSpan([179, -178]), { west: 179, east: 182 })
    assert.deepEqual(longitudeSpan([-1, 2]), { west: -1, east: 2 })
  })

  test('returns the usual span for positions all over the world', () => {
    assert.deepEqual(longitudeSpan([-123, -4, 121]), { west: -123, east: 121 })
  })

  test('accepts longitudes beyond 180 degrees', () => {
    assert.deepEqual(longitudeSpan([181, -178, 179]), { west: 179, east: 182 })
  })
})
