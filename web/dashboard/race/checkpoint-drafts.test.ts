import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  draftsOf,
  inOrder,
  middleOfLongest,
  movedTo,
  nearestAlong,
  newDraft,
  outlineOf,
  placeAlong,
  shapedAs,
  sizeOf,
  updateOf,
} from './checkpoint-drafts.ts'

/** A course of 2 km: a kilometre east along the 46th parallel, and back 1 m further north. */
const KM = 1000 / (111_195 * Math.cos((46 * Math.PI) / 180))
const OUT_AND_BACK = {
  longitude: [6, 6 + KM, 6],
  latitude: [46, 46, 46.00001],
  altitude: [null, null, null],
  distance_m: [0, 1000, 2000],
}
const START = {
  id: 'a2f0b9d4-52c6-4f5e-8a37-6f1f0e7b2c11',
  name: 'Start',
  kind: 'start' as const,
  course_distance_m: 0,
  shape: { type: 'circle' as const, longitude: 6, latitude: 46, radius_m: 25 },
}

describe('places along a course', () => {
  test('are between its points, with the direction of the course', () => {
    const { longitude, bearing } = placeAlong(OUT_AND_BACK, 500)

    assert.ok(Math.abs(longitude - (6 + KM / 2)) < 1e-9)
    assert.ok(Math.abs(bearing - Math.PI / 2) < 1e-6)
  })

  test('end with the course', () => {
    assert.equal(placeAlong(OUT_AND_BACK, 9000).longitude, 6)
    assert.equal(placeAlong(OUT_AND_BACK, -5).longitude, 6)
  })

  test('are found by the nearest one, on the pass that is meant', () => {
    const middle = { lng: 6 + KM / 4, lat: 46 }

    assert.equal(Math.round(nearestAlong(OUT_AND_BACK, middle)!.distanceM), 250)
    assert.equal(Math.round(nearestAlong(OUT_AND_BACK, middle, 1900)!.distanceM), 1750)
    assert.ok(nearestAlong(OUT_AND_BACK, { lng: 6, lat: 46.001 })!.offM > 100)
  })
})

describe('a checkpoint that is edited', () => {
  const added = newDraft(OUT_AND_BACK, 400, { key: 'new', name: 'Bridge' })

  test('is a line of 50 m across the course', () => {
    assert.equal(sizeOf(added.shape), 50)
    const [[west, south], [east, north]] = outlineOf(added.shape)
    assert.ok(Math.abs(west - east) < 1e-9)
    assert.ok(Math.abs(Math.abs(north - south) * 111_195 - 50) < 0.1)
  })

  test('moves along the course and stays as it was', () => {
    const circle = shapedAs(OUT_AND_BACK, added, 'circle', 80)

    const moved = movedTo(OUT_AND_BACK, circle, 700)

    assert.deepEqual([moved.distanceM, moved.shape.type, sizeOf(moved.shape)], [700, 'circle', 80])
    assert.equal(movedTo(OUT_AND_BACK, circle, 5000).distanceM, 2000)
  })

  test('is stored in the order of the course, a stored one with its id', () => {
    const drafts = [added, ...draftsOf([START])]

    const { checkpoints } = updateOf(drafts)

    assert.deepEqual(
      checkpoints.map(({ id, name, course_distance_m }) => [id, name, course_distance_m]),
      [
        [START.id, 'Start', 0],
        [undefined, 'Bridge', 400],
      ],
    )
    assert.deepEqual(inOrder(drafts)[0].shape, START.shape)
  })

  test('is added where the course has none for longest', () => {
    assert.equal(middleOfLongest(OUT_AND_BACK, draftsOf([START])), 1000)
    assert.equal(middleOfLongest(OUT_AND_BACK, [...draftsOf([START]), added]), 1200)
  })
})
