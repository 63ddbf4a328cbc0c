import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OperatorTrack } from '../../src/tracks/api/operator-track-schemas.ts'
import type { RawPointList, SplitList, TrackSeries } from '../../src/tracks/statistics/schemas.ts'
import { createEvent } from '../support/create-event.ts'
import { oneDatabase } from '../support/databases.ts'
import { describeTracks } from '../support/describe-service.ts'
import { makePoints, type WirePoint } from '../support/make-points.ts'
import { readProblem, wrongPlaces } from '../support/problem.ts'
import { readDeviceFile } from '../support/read-device-file.ts'

/** A walk with a point for each reason why statistics leave points out. */
function walkWithFaults(): WirePoint[] {
  const points = makePoints(60, undefined, { altitude: 500, accuracy: 5 })
  points[20] = { ...points[20], latitude: points[20].latitude + 0.01 }
  points[30] = { ...points[30], accuracy: 200 }
  return [...points, { ...points[40], accuracy: 9, origin: 'native' }]
}

describeTracks('GET /operator/tracks/:id', { on: oneDatabase, signedIn: true }, async ({ service }) => {
  const { answer, request } = service
  const { phone, ...event } = await createEvent(service, { name: 'Trail' })

  test('answers 200 with the track as the app gets it, its event and the provenance of its statistics', async () => {
    const id = await phone.sync({ points: walkWithFaults() })

    const track = await answer<OperatorTrack>(200, 'GET', `/operator/tracks/${id}`)

    const { event: its, last_point_at, pauses, points_used, points_left_out, provenance, ...rest } = track
    const { first_point_at, shown_from, shown_until, altitudes_left_out, name, ...asRead } = rest
    assert.deepEqual([first_point_at, shown_from, shown_until], [makePoints(1)[0].timestamp, null, null])
    assert.deepEqual(asRead, await phone.read(id))
    assert.equal(name, asRead.title)
    assert.deepEqual(its, { id: event.id, name: 'Trail', effective_time_zone: 'UTC' })
    assert.deepEqual([last_point_at, pauses], [makePoints(60)[59].timestamp, []])
    assert.deepEqual(points_left_out, [
      { reason: 'same_time', count: 1 },
      { reason: 'inaccurate', count: 1 },
      { reason: 'spike', count: 1 },
    ])
    assert.deepEqual([points_used, altitudes_left_out], [58, 0])
    assert.equal(provenance.find(({ statistic }) => statistic === 'distance_meters')?.rule, 'travelled_legs')
    for (const { statistic } of provenance) assert.ok(statistic in track.stats, statistic)
  })

  test('names the statistics of the device', async () => {
    const id = await phone.sync({ points: makePoints(3), stats: { distance_meters: 12 } })

    const { provenance, stats } = await answer<OperatorTrack>(200, 'GET', `/operator/tracks/${id}`)

    const sources = Object.fromEntries(provenance.map(({ statistic, source }) => [statistic, source]))
    assert.equal(stats.distance_meters, 12)
    assert.deepEqual([sources.distance_meters, sources.duration_sec], ['device', 'computed'])
  })

  test('returns pauses, an open one without an end', async () => {
    const id = await phone.create()
    await phone.update(id, { state: 'paused' })
    await phone.update(id, { state: 'running' })
    await phone.update(id, { state: 'paused' })

    const { pauses } = await answer<OperatorTrack>(200, 'GET', `/operator/tracks/${id}`)

    assert.deepEqual(
      pauses.slice(-1).map(({ from, to }) => [typeof from, to]),
      [['string', null]],
    )
  })

  test('GET /series ends with the distance of the statistics and returns left-out points', async () => {
    const id = await phone.sync({ points: walkWithFaults() })
    const { stats } = await phone.read(id)

    const series = await answer<TrackSeries>(200, 'GET', `/operator/tracks/${id}/series`)

    assert.equal(series.time_ms.length, 58)
    assert.equal(series.distance_meters.at(-1), Math.round(stats.distance_meters * 100) / 100)
    assert.deepEqual(series.left_out.reason.toSorted(), ['inaccurate', 'same_time', 'spike'])
    assert.deepEqual([series.points_count, series.points_used, series.gaps], [61, 58, []])
  })

  test('shows no altitude as the highest that leaps away and back, and says how many do', async () => {
    const points = makePoints(60, undefined, { altitude: 80 })
    points[20] = { ...points[20], altitude: 142 }
    const id = await phone.sync({ points })

    const { stats, altitudes_left_out } = await answer<OperatorTrack>(200, 'GET', `/operator/tracks/${id}`)
    const { extremes } = await answer<TrackSeries>(200, 'GET', `/operator/tracks/${id}/series`)

    assert.deepEqual([stats.max_altitude_m, stats.elevation_gain_m, altitudes_left_out], [80, 0, 1])
    assert.deepEqual(extremes.max_altitude_m, { index: 0, value: 80 })
  })

  test('GET /series has the points of the extremes of the statistics', async () => {
    const { points } = await readDeviceFile('garmin-edge-500-activity.fit')
    const id = await phone.sync({ track: { activity_type: 'bike' }, points })
    const { stats } = await phone.read(id)

    const { extremes, altitude } = await answer<TrackSeries>(200, 'GET', `/operator/tracks/${id}/series?points=50`)

    const { max_altitude_m: highest, min_altitude_m: lowest, max_speed_mps: fastest } = extremes
    assert.equal(highest!.value, Math.round(stats.max_altitude_m! * 100) / 100)
    assert.deepEqual([altitude[highest!.index], altitude[lowest!.index]], [highest!.value, lowest!.value])
    assert.equal(fastest!.value, Math.round(stats.max_speed_mps! * 1000) / 1000)
  })

  test('GET /series returns at most the requested points, with gaps at pauses', async () => {
    const { points } = await readDeviceFile('garmin-edge-500-activity.fit')
    const id = await phone.sync({ track: { activity_type: 'bike' }, points })

    const series = await answer<TrackSeries>(200, 'GET', `/operator/tracks/${id}/series?points=200`)

    const { length } = series.time_ms
    assert.ok(length <= 200 && length > 100, `${length}`)
    for (const column of [series.latitude, series.altitude, series.altitude_smoothed, series.speed_mps])
      assert.equal(column.length, length)
    assert.ok(series.gaps.every(({ index }) => index > 0 && index < length))
  })

  test('GET /splits adds up to the statistics', async () => {
    const { points } = await readDeviceFile('garmin-edge-500-activity.fit')
    const id = await phone.sync({ track: { activity_type: 'bike' }, points })
    const { stats } = await phone.read(id)

    const { splits } = await answer<SplitList>(200, 'GET', `/operator/tracks/${id}/splits`)

    const sum = (name: 'distance_meters' | 'duration_sec' | 'moving_time_sec' | 'elevation_gain_m') =>
      splits.reduce((total, split) => total + split[name], 0)
    assert.equal(splits.length, Math.ceil(stats.distance_meters / 1000))
    assert.ok(Math.abs(sum('distance_meters') - stats.distance_meters) < 0.01)
    assert.ok(Math.abs(sum('duration_sec') - stats.duration_sec) <= 0.5)
    assert.ok(Math.abs(sum('moving_time_sec') - stats.moving_time_sec) < 0.01)
    assert.ok(Math.abs(sum('elevation_gain_m') - stats.elevation_gain_m) < 0.01)
    assert.deepEqual(
      splits.map(({ number, is_partial }) => [number, is_partial]),
      splits.map((_, i) => [i + 1, i === splits.length - 1]),
    )
  })

  test('GET /splits returns miles on request', async () => {
    const { points } = await readDeviceFile('garmin-edge-500-activity.fit')
    const id = await phone.sync({ track: { activity_type: 'bike' }, points })

    const { splits } = await answer<SplitList>(200, 'GET', `/operator/tracks/${id}/splits?unit=mi`)

    assert.equal(splits[0].distance_meters.toFixed(3), '1609.344')
    assert.equal(splits.at(-1)!.is_partial, true)
  })

  test('GET /points pages through points as they were sent, with the reason of left-out ones', async () => {
    const id = await phone.sync({ points: walkWithFaults() })
    const path = `/operator/tracks/${id}/points`

    const page = await answer<RawPointList>(200, 'GET', `${path}?from=20&limit=11`)
    const rest = await answer<RawPointList>(200, 'GET', `${path}?from=40&limit=100`)

    assert.deepEqual([page.total, page.points.length, rest.points.length], [61, 11, 21])
    assert.deepEqual([page.points[0].index, page.points[0].left_out], [20, 'spike'])
    assert.deepEqual([page.points[10].left_out, page.points[1].left_out], ['inaccurate', null])
    assert.deepEqual(
      rest.points.slice(0, 2).map(({ accuracy, origin, left_out }) => [accuracy, origin, left_out]),
      [
        [5, null, null],
        [9, 'native', 'same_time'],
      ],
    )
  })

  test('returns an empty series, no splits and no points for a track without points', async () => {
    const id = await phone.create()

    const series = await answer<TrackSeries>(200, 'GET', `/operator/tracks/${id}/series`)

    assert.deepEqual([series.time_ms, series.gaps, series.points_count], [[], [], 0])
    assert.deepEqual((await answer<SplitList>(200, 'GET', `/operator/tracks/${id}/splits`)).splits, [])
    assert.equal((await answer<RawPointList>(200, 'GET', `/operator/tracks/${id}/points`)).total, 0)
  })

  test('DELETE deletes the track and frees its device_track_id', async () => {
    const track = { device_track_id: 'phone-1' }
    const id = await phone.sync({ track, points: makePoints(3) })

    await answer(204, 'DELETE', `/operator/tracks/${id}`)

    for (const path of ['', '/series', '/splits', '/points', '/export?format=gpx']) {
      await readProblem(await request('GET', `/operator/tracks/${id}${path}`), 404, 'NOT_FOUND')
    }
    await phone.sync({ track })
  })

  test('answers 400 for numbers of points out of bounds and for unknown formats', async () => {
    const id = await phone.create()
    const placesOf = async (path: string) => await wrongPlaces(await request('GET', `/operator/tracks/${id}${path}`))

    assert.deepEqual(await placesOf('/series?points=20001'), ['points'])
    assert.deepEqual(await placesOf('/points?limit=1001'), ['limit'])
    assert.deepEqual(await placesOf('/export?format=shp'), ['format'])
  })
})
