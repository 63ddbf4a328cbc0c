import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneDatabase } from '../support/databases.ts'
import { describeTracks } from '../support/describe-service.ts'
import { makePoints } from '../support/make-points.ts'

const UTC_MILLISECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describeTracks('GET /tracks/:id', { on: oneDatabase }, async ({ service, tracks }) => {
  test('answers 200 with every field of the track', async () => {
    const id = await tracks.create()

    const response = await service.request('GET', `/tracks/${id}`)

    assert.equal(response.status, 200)
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
    assert.equal(response.headers.get('cache-control'), 'no-store')
    const track = (await response.json()) as Record<string, unknown>
    assert.deepEqual(Object.keys(track), [
      'id',
      'device_track_id',
      'title',
      'activity_type',
      'state',
      'start_ts',
      'end_ts',
      'user_id',
      'image_url',
      'points_count',
      'stats',
      'created_at',
      'updated_at',
    ])
    for (const field of ['start_ts', 'created_at', 'updated_at']) assert.match(String(track[field]), UTC_MILLISECONDS)
  })

  test('returns statistics of zeros before the first point, without unknown ones', async () => {
    const { stats } = await tracks.read(await tracks.create())

    const { distance_meters, duration_sec, elevation_gain_m, elevation_loss_m, mean_speed_mps, pace_sec_per_km } = stats
    assert.deepEqual(
      [distance_meters, duration_sec, elevation_gain_m, elevation_loss_m, mean_speed_mps, pace_sec_per_km],
      [0, 0, 0, 0, 0, 0],
    )
    assert.equal(stats.points_count, 0)
    for (const unknown of ['max_speed_mps', 'max_altitude_m', 'min_altitude_m']) assert.equal(unknown in stats, false)
  })

  test('takes the duration of a track without points from its times, once it has an end', async () => {
    const id = await tracks.create({ start_ts: '2026-05-03T06:00:00Z' })

    await tracks.update(id, { end_ts: '2026-05-03T06:10:00.499Z' })

    assert.equal((await tracks.read(id)).stats.duration_sec, 600)
  })

  test('returns current statistics before the track is finished', async () => {
    const id = await tracks.create()
    const points = makePoints(21, undefined, { altitude: 5 })

    await tracks.add(id, points.slice(0, 11))
    const early = await tracks.read(id)
    await tracks.add(id, points.slice(11))
    const late = await tracks.read(id)

    assert.equal(early.state, 'running')
    assert.deepEqual([early.stats.duration_sec, late.stats.duration_sec], [10, 20])
    assert.ok(late.stats.distance_meters > early.stats.distance_meters)
    assert.deepEqual([late.stats.points_count, late.points_count], [21, 21])
  })

  test('returns zeros for one point, and for points at one place or time', async () => {
    const [point] = makePoints(1)
    const sets = [
      [point],
      [point, point],
      [point, { ...point, latitude: 49 }],
      makePoints(3).map((p) => ({ ...p, latitude: 1 })),
    ]

    for (const points of sets) {
      const id = await tracks.create()
      await tracks.add(id, points)

      const { stats } = await tracks.read(id)
      assert.equal(stats.distance_meters, 0)
      assert.equal(stats.mean_speed_mps, 0)
      assert.equal(stats.pace_sec_per_km, 0)
    }
  })

  test('returns finite statistics for any numbers', async () => {
    const extremes = [
      { altitude: 1.7e308, accuracy: 1.7e308, speed_mps: 1.7e308 },
      { altitude: -1.7e308, accuracy: -1.7e308, speed_mps: -1.7e308 },
      { altitude: 5e-324, accuracy: 5e-324, speed_mps: 5e-324 },
    ]
    const points = makePoints(60).map((point, i) => ({
      ...point,
      ...extremes[i % 3],
      latitude: i % 2 === 0 ? -90 : 90,
      longitude: i % 2 === 0 ? -180 : 180,
    }))

    const id = await tracks.sync({ points })

    const { stats } = await tracks.read(id)
    const figures = Object.values(stats).filter((value) => typeof value !== 'object')
    for (const figure of figures) assert.ok(Number.isFinite(figure), JSON.stringify(stats))
  })

  test('treats negative accuracy and speed as unknown', async () => {
    const points = makePoints(11, undefined, { accuracy: -1, speed_mps: -1 })
    const plain = await tracks.read(await tracks.sync({ points: makePoints(11) }))

    const track = await tracks.read(await tracks.sync({ points }))

    assert.equal(track.stats.distance_meters, plain.stats.distance_meters)
    assert.equal(track.stats.max_speed_mps, plain.stats.max_speed_mps)
  })

  test('treats 0 and negative altitudes as altitudes', async () => {
    const points = makePoints(3).map((point, i) => ({ ...point, altitude: [0, -5.5, -2][i] }))

    const { stats } = await tracks.read(await tracks.sync({ points }))

    assert.deepEqual([stats.max_altitude_m, stats.min_altitude_m], [0, -5.5])
  })
})
