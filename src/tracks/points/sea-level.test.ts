import assert from 'node:assert/strict'
import { test } from 'node:test'
import { geoidHeightMeters } from './sea-level.ts'

// Places of the test file that accompanies EGM96 (OUTINTPT.DAT), with longitudes from -180 to 180 degrees.
const PUBLISHED: [latitude: number, longitude: number, meters: number][] = [
  [38.628155, -90.220845, -31.628],
  [-14.621217, -54.978886, -2.969],
  [46.874319, 102.448729, -43.575],
  [-23.617446, 133.874712, 15.871],
  [38.625473, -0.0005, 50.066],
  [-0.466744, 0.0023, 17.329],
]

test('geoidHeightMeters returns the published heights of EGM96, to some decimetres', () => {
  for (const [latitude, longitude, meters] of PUBLISHED) {
    const height = geoidHeightMeters(latitude, longitude)
    assert.ok(Math.abs(height - meters) < 0.4, `${latitude} ${longitude}: ${height} instead of ${meters}`)
  }
})

test('geoidHeightMeters is the same on both sides of the antimeridian, and known at the poles', () => {
  assert.equal(geoidHeightMeters(-17, 180), geoidHeightMeters(-17, -180))
  assert.ok(Math.abs(geoidHeightMeters(-17, 179.9999) - geoidHeightMeters(-17, -179.9999)) < 0.01)
  assert.ok(Math.abs(geoidHeightMeters(90, 12) - 13.6) < 0.1)
  assert.ok(Math.abs(geoidHeightMeters(-90, 180) + 29.5) < 0.1)
})
