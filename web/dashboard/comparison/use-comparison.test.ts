import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { followsCourse, wayAlongCourse } from './use-comparison.ts'

const METERS_PER_DEGREE = 111_195

/** Places in meters east and north of a point near the equator, and the way between them. */
function placesOf(corners: readonly (readonly [number, number])[], stepM: number) {
  const [latitude, longitude, distance_m] = [[] as number[], [] as number[], [] as number[]]
  let wayM = 0
  const add = (east: number, north: number) => {
    longitude.push(east / METERS_PER_DEGREE)
    latitude.push(north / METERS_PER_DEGREE)
    distance_m.push(wayM)
  }
  add(...corners[0])
  for (let corner = 1; corner < corners.length; corner++) {
    const [[x, y], [toX, toY]] = [corners[corner - 1], corners[corner]]
    const lengthM = Math.hypot(toX - x, toY - y)
    const steps = Math.max(1, Math.round(lengthM / stepM))
    for (let step = 1; step <= steps; step++) {
      wayM += lengthM / steps
      add(x + ((toX - x) * step) / steps, y + ((toY - y) * step) / steps)
    }
  }
  return { latitude, longitude, distance_m, distance_meters: distance_m, altitude: distance_m.map(() => null) }
}

const rounded = (meters: readonly (number | null)[]) => meters.map((each) => each && Math.round(each))

describe('wayAlongCourse', () => {
  test('measures progress along the course, not the way that was run', () => {
    const course = placesOf(
      [
        [0, 0],
        [3000, 0],
      ],
      500,
    )
    const zigzag = placesOf(
      [
        [0, 0],
        [500, 40],
        [1000, -40],
        [1500, 40],
      ],
      500,
    )

    assert.deepEqual(rounded(wayAlongCourse(course, zigzag)), [0, 500, 1000, 1500])
  })

  test('tells the way out from the way back on the same road', () => {
    const course = placesOf(
      [
        [0, 0],
        [2000, 0],
        [0, 0],
      ],
      250,
    )
    const track = placesOf(
      [
        [0, 5],
        [2000, 5],
        [0, 5],
      ],
      100,
    )

    const along = wayAlongCourse(course, track)

    assert.deepEqual(rounded([along[10], along[20], along[30], along.at(-1)!]), [1000, 2000, 3000, 4000])
  })

  test('tells the laps of a loop apart', () => {
    const loop = [
      [0, 0],
      [500, 0],
      [500, 500],
      [0, 500],
      [0, 0],
    ] as const
    const track = placesOf([...loop, ...loop.slice(1)], 50)

    const along = wayAlongCourse(placesOf([...loop, ...loop.slice(1)], 500), track)

    assert.deepEqual(rounded([along[0], along[39], along[41], along.at(-1)!]), [0, 1950, 2050, 4000])
  })

  test('is unknown off the course, and goes on behind a detour', () => {
    const course = placesOf(
      [
        [0, 0],
        [3000, 0],
      ],
      500,
    )
    const detour = placesOf(
      [
        [0, 0],
        [1000, 0],
        [1000, 400],
        [2000, 400],
        [2000, 0],
        [3000, 0],
      ],
      200,
    )

    const along = rounded(wayAlongCourse(course, detour))

    assert.deepEqual(along.slice(4, 8), [800, 1000, null, null])
    assert.deepEqual(along.slice(-2), [2800, 3000])
  })

  test('finds a track that joins the course on its way', () => {
    const course = placesOf(
      [
        [0, 0],
        [10_000, 0],
      ],
      500,
    )
    const joining = placesOf(
      [
        [4000, 2000],
        [4000, 0],
        [6000, 0],
      ],
      100,
    )

    const along = wayAlongCourse(course, joining)

    assert.equal(along[0], null)
    assert.equal(Math.round(along.at(-1)!), 6000)
  })
})

describe('followsCourse', () => {
  const course = placesOf(
    [
      [0, 0],
      [3000, 0],
    ],
    500,
  )
  const follows = (corners: readonly (readonly [number, number])[]) => {
    const track = placesOf(corners, 100)
    return followsCourse(wayAlongCourse(course, track), track)
  }

  test('is true for a part of the course, and false across it, beside it and against it', () => {
    assert.equal(
      follows([
        [500, 10],
        [2500, 10],
      ]),
      true,
    )
    assert.equal(
      follows([
        [1000, -2000],
        [1000, 2000],
      ]),
      false,
    )
    assert.equal(
      follows([
        [0, 3000],
        [3000, 3000],
      ]),
      false,
    )
    assert.equal(
      follows([
        [3000, 0],
        [0, 0],
      ]),
      false,
    )
  })
})
