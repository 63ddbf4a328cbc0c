import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneDatabase } from '../support/databases.ts'
import { describeTracks } from '../support/describe-service.ts'
import { makePoints } from '../support/make-points.ts'
import { wrongPlaces } from '../support/problem.ts'

const GIVEN = {
  distance_meters: 12_345.678901234567,
  duration_sec: 3599,
  elevation_gain_m: 321.5,
  elevation_loss_m: 0,
  mean_speed_mps: 3.43,
  pace_sec_per_km: 291.55,
  max_speed_mps: 1e-7,
  max_altitude_m: -12.25,
  min_altitude_m: -430,
  points_count: 999,
}

describeTracks('Statistics given to POST /sync', { on: oneDatabase }, async ({ service, tracks }) => {
  test('are stored as sent, next to the computed ones', async () => {
    const points = makePoints(11)
    const computed = (await tracks.read(await tracks.sync({ points }))).stats

    const track = await tracks.read(await tracks.sync({ points, stats: GIVEN }))

    for (const [field, value] of Object.entries(GIVEN)) assert.equal(track.stats[field as 'duration_sec'], value)
    assert.deepEqual(track.computed_stats, computed)
    assert.equal(track.points_count, 11)
  })

  test('are completed by computed statistics if fields are missing or null', async () => {
    const stats = { distance_meters: 5, duration_sec: null, calories: 900 }

    const track = await tracks.read(await tracks.sync({ points: makePoints(11), stats }))

    assert.equal(track.stats.distance_meters, 5)
    assert.equal(track.stats.duration_sec, 10)
    assert.equal(track.stats.points_count, 11)
    assert.equal('calories' in track.stats, false)
    assert.ok(track.computed_stats!.distance_meters > 10)
  })

  test('stay after late points and after a finish', async () => {
    const id = await tracks.sync({ points: makePoints(11), stats: { distance_meters: 7 } })

    await tracks.add(id, makePoints(21))
    const finished = await tracks.finish(id)

    assert.equal(finished.stats.distance_meters, 7)
    assert.equal(finished.stats.duration_sec, 20)
    assert.equal(finished.computed_stats!.points_count, 21)
  })

  test('count as absent if all fields are absent or null', async () => {
    for (const stats of [undefined, null, {}, { distance_meters: null, unknown: 5 }]) {
      const track = await tracks.read(await tracks.sync({ points: makePoints(3), stats }))

      assert.equal('computed_stats' in track, false)
      assert.equal(track.stats.duration_sec, 2)
    }
  })

  test('answer 400 with the path of a value of another type', async () => {
    for (const field of Object.keys(GIVEN)) {
      for (const value of ['5', true, [], {}]) {
        const body = { track: { device_track_id: 'stats' }, points: [], stats: { [field]: value } }

        assert.deepEqual(await wrongPlaces(await service.request('POST', '/sync', body)), [`stats/${field}`])
      }
    }
  })

  test('answer 400 with the path of a fraction where an integer is required', async () => {
    for (const field of ['duration_sec', 'points_count']) {
      const body = { track: { device_track_id: 'stats' }, points: [], stats: { [field]: 1.5 } }

      assert.deepEqual(await wrongPlaces(await service.request('POST', '/sync', body)), [`stats/${field}`])
    }
  })
})
