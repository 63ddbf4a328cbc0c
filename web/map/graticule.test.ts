import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { graticule, type Seen } from './graticule.ts'

const words = (seen: Seen) => graticule(seen).features.flatMap(({ properties }) => properties.word ?? [])

describe('graticule', () => {
  test('adapts its step to the visible part', () => {
    assert.deepEqual(words({ west: 6.861, south: 45.901, east: 6.889, north: 45.909 }), [
      '6.865°',
      '6.870°',
      '6.875°',
      '6.880°',
      '6.885°',
      '45.905°',
    ])
    assert.deepEqual(words({ west: -25, south: -8, east: 15, north: 9 }), ['-20°', '-10°', '0°', '10°', '0°'])
  })

  test('continues across the antimeridian', () => {
    assert.deepEqual(words({ west: 179.5, south: 0.1, east: 181.5, north: 0.2 }), [
      '179.5°',
      '-180.0°',
      '-179.5°',
      '-179.0°',
      '-178.5°',
    ])
  })

  test('has a line and a label for each step', () => {
    const { features } = graticule({ west: 0.5, south: 10, east: 1.4, north: 10.1 })

    const lines = features.filter(({ geometry }) => geometry.type === 'LineString')
    assert.deepEqual([lines.length, features.length], [5, 10])
  })
})
