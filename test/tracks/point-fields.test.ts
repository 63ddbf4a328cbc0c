import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneDatabase } from '../support/databases.ts'
import { describeTracks } from '../support/describe-service.ts'
import { makePoints } from '../support/make-points.ts'
import { wrongPlaces } from '../support/problem.ts'

/** Valid values, at the bounds of each field. */
const GOOD: [field: string, values: unknown[]][] = [
  ['latitude', [-90, 90, 0, 48.856614]],
  ['longitude', [-180, 180, 0, 2.3522219]],
  ['altitude', [-430.5, 0, 8848.86, 1e9]],
  ['accuracy', [0, 4.5, -1, 100_000]],
  ['speed_mps', [0, 3.2, -1, 340]],
  ['heading', [0, 359.9, 360]],
  ['battery', [0, 0.5, 1]],
]

/** Invalid values of each field. */
const BAD: [field: string, values: unknown[]][] = [
  ['latitude', [-90.000001, 90.000001, null, undefined, '48.85', true, [48], {}]],
  ['longitude', [-180.000001, 180.000001, null, undefined, '2.35', false, [2]]],
  ['timestamp', ['2026-05-03', '2026-13-01T00:00:00Z', '', 'now', null, undefined, 1_777_788_900, {}]],
  ['altitude', ['35', true, [], {}]],
  ['accuracy', ['5', false]],
  ['speed_mps', ['3.2', {}]],
  ['heading', [-0.1, 360.1, '90']],
  ['battery', [-0.01, 1.01, '1', true]],
  ['origin', ['gps', 'Native', '', 1, true]],
  ['altitude_reference', ['geoid', 'sea level', '', 0, true]],
]

const OPTIONAL = ['altitude', 'accuracy', 'speed_mps', 'heading', 'battery', 'origin', 'altitude_reference']

describeTracks('Fields of a point', { on: oneDatabase }, async ({ service, tracks }) => {
  test('accepts values at their bounds and lists them as sent', async () => {
    for (const [field, values] of GOOD) {
      const points = makePoints(values.length).map((point, i) => ({ ...point, [field]: values[i] }))

      const id = await tracks.create()
      await tracks.add(id, points)

      assert.deepEqual((await tracks.points(id)).points, points)
    }
  })

  test('answers 400 with the path of an invalid value in POST /tracks/:id/points', async () => {
    const id = await tracks.create()

    for (const [field, values] of BAD) {
      const points = makePoints(values.length).map((point, i) => ({ ...point, [field]: values[i] }))
      const response = await service.request('POST', `/tracks/${id}/points`, { points })

      assert.deepEqual(await wrongPlaces(response), points.map((_, i) => `points/${i}/${field}`).sort(), field)
    }
    assert.equal((await tracks.read(id)).points_count, 0)
  })

  test('answers 400 with the path of an invalid value in POST /sync', async () => {
    for (const [field, values] of BAD) {
      const points = makePoints(values.length).map((point, i) => ({ ...point, [field]: values[i] }))
      const response = await service.request('POST', '/sync', { track: { device_track_id: field }, points })

      assert.deepEqual(await wrongPlaces(response), points.map((_, i) => `points/${i}/${field}`).sort(), field)
    }
    assert.equal(
      ((await (await service.request('GET', '/tracks?device_track_id=latitude')).json()) as { tracks: [] }).tracks
        .length,
      0,
    )
  })

  test('answers 400 with the path of a point that is not an object', async () => {
    const id = await tracks.create()

    const response = await service.request('POST', `/tracks/${id}/points`, { points: [null, 5, 'p', [1, 2], true] })

    assert.deepEqual(await wrongPlaces(response), ['points/0', 'points/1', 'points/2', 'points/3', 'points/4'])
  })

  test('treats null in an optional field as an absent field', async () => {
    const [point] = makePoints(1)
    const nulls = Object.fromEntries(OPTIONAL.map((field) => [field, null]))

    const id = await tracks.create()
    await tracks.add(id, [{ ...point, ...nulls }])
    await tracks.add(id, [point])

    assert.deepEqual((await tracks.points(id)).points, [point])
  })

  test('accepts every origin, which distinguishes points and is not listed', async () => {
    const [point] = makePoints(1)

    const id = await tracks.create()
    await tracks.add(id, [
      { ...point, origin: 'foreground' },
      { ...point, origin: 'background' },
      { ...point, origin: 'native' },
      point,
    ])

    assert.deepEqual((await tracks.points(id)).points, [point, point, point, point])
  })

  test('reads timestamps in their offset, to the millisecond, and lists them in UTC', async () => {
    const [point] = makePoints(1)
    const times = {
      '2026-05-03T08:00:00.1239+02:00': '2026-05-03T06:00:00.123Z',
      '2026-05-03T06:00:01': '2026-05-03T06:00:01.000Z',
      '2026-05-03t06:00:02z': '2026-05-03T06:00:02.000Z',
      '2026-05-03T06:00:60Z': '2026-05-03T06:01:00.000Z',
      '2026-05-03T06:01:01.5-00:00': '2026-05-03T06:01:01.500Z',
    }

    const id = await tracks.create()
    await tracks.add(
      id,
      Object.keys(times).map((timestamp) => ({ ...point, timestamp })),
    )

    assert.deepEqual(
      (await tracks.points(id)).points.map(({ timestamp }) => timestamp),
      Object.values(times),
    )
  })
})
