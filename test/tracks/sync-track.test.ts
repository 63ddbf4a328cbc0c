import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { describeTracks } from '../support/describe-service.ts'
import { makePoints } from '../support/make-points.ts'
import { readProblem, wrongPlaces } from '../support/problem.ts'

describeTracks('POST /sync', async ({ service, tracks, once }) => {
  test('answers 201 with the track_id and creates the track with its points', async () => {
    const points = makePoints(5, undefined, { altitude: 100, origin: 'native' })
    const track = { device_track_id: 'sync-1', title: 'Matin', activity_type: 'hike', user_id: 'u' }

    const response = await service.request('POST', '/sync', { track, points })

    assert.equal(response.status, 201)
    const answer = (await response.json()) as { track_id: string }
    assert.deepEqual(Object.keys(answer), ['track_id'])
    const { stats, created_at, updated_at, ...stored } = await tracks.read(answer.track_id)
    assert.deepEqual(stored, {
      id: answer.track_id,
      ...track,
      image_url: null,
      state: 'stopped',
      start_ts: '2026-05-03T06:00:00.000Z',
      end_ts: '2026-05-03T06:00:04.000Z',
      points_count: 5,
    })
    assert.equal(stats.duration_sec, 4)
    const listed = points.map(({ origin, ...point }) => point)
    assert.deepEqual((await tracks.points(answer.track_id)).points, listed)
  })

  test('starts with the earliest and ends with the last point, in whatever order they are sent', async () => {
    const id = await tracks.sync({ points: makePoints(9).reverse() })

    const track = await tracks.read(id)
    assert.deepEqual([track.start_ts, track.end_ts], ['2026-05-03T06:00:00.000Z', '2026-05-03T06:00:08.000Z'])
    assert.equal(track.title, 'Sortie du 3 mai à 06h00')
  })

  test('creates a track without points that starts now, without an end and statistics', async () => {
    const beforeMs = Date.now()

    const track = await tracks.read(await tracks.sync({ points: [] }))

    assert.ok(Date.parse(track.start_ts) >= beforeMs)
    assert.equal(track.state, 'stopped')
    assert.equal(track.end_ts, null)
    assert.deepEqual([track.points_count, track.stats.distance_meters, track.stats.duration_sec], [0, 0, 0])
  })

  test('takes the duration of a track without points from its times, rounded half up', async () => {
    const id = await tracks.sync({ track: { start_ts: '2026-05-03T06:00:00Z', end_ts: '2026-05-03T07:00:00.500Z' } })

    const track = await tracks.read(id)
    assert.equal(track.end_ts, '2026-05-03T07:00:00.500Z')
    assert.equal(track.stats.duration_sec, 3601)
    assert.deepEqual([track.stats.mean_speed_mps, track.stats.pace_sec_per_km], [0, 0])
  })

  test('keeps the given times, even if the points differ', async () => {
    const given = { start_ts: '2026-05-03T05:00:00Z', end_ts: '2026-05-03T05:30:00Z' }

    const track = await tracks.read(await tracks.sync({ track: given, points: makePoints(3) }))

    assert.equal(track.start_ts, '2026-05-03T05:00:00.000Z')
    assert.equal(track.end_ts, '2026-05-03T05:30:00.000Z')
  })

  test('never sets an end before the start', async () => {
    const track = await tracks.read(
      await tracks.sync({ track: { start_ts: '2026-05-04T00:00:00Z' }, points: makePoints(3) }),
    )

    assert.equal(track.end_ts, '2026-05-04T00:00:00.000Z')
  })

  test('answers 400 for an end_ts before start_ts or before the first point', async () => {
    const end_ts = '2026-05-03T05:59:59.999Z'
    const given = { device_track_id: 'backwards', start_ts: '2026-05-03T06:00:00Z', end_ts }
    const implied = { device_track_id: 'backwards', end_ts }

    const answers = [
      await service.request('POST', '/sync', { track: given, points: [] }),
      await service.request('POST', '/sync', { track: implied, points: makePoints(2) }),
    ]

    for (const answer of answers) assert.deepEqual(await wrongPlaces(answer), ['track/end_ts'])
  })

  test('answers 400 for an end_ts that is not a date-time', async () => {
    for (const end_ts of ['2026-05-03', '', 5, true]) {
      const body = { track: { device_track_id: 'end', end_ts }, points: [] }

      assert.deepEqual(await wrongPlaces(await service.request('POST', '/sync', body)), ['track/end_ts'])
    }
  })

  once('accepts 50,000 points; answers 400 for 50,001 and creates nothing', async () => {
    const points = makePoints(50_001)

    const id = await tracks.sync({ points: points.slice(0, 50_000) })
    const tooMany = await service.request('POST', '/sync', { track: { device_track_id: 'too-many' }, points })

    assert.equal((await tracks.read(id)).points_count, 50_000)
    const problem = await readProblem(tooMany, 400, 'BAD_REQUEST')
    assert.deepEqual(problem.errors, [{ path: 'points', message: 'must have at most 50000 items' }])
    assert.notEqual(await tracks.create({ device_track_id: 'too-many' }), '')
  })

  test('answers 400 if track or points are missing, and names all wrong fields at once', async () => {
    const bodies: [unknown, string[]][] = [
      [{}, ['points', 'track']],
      [{ track: { device_track_id: 'x' } }, ['points']],
      [{ track: { device_track_id: 'x' }, points: null }, ['points']],
      [{ track: null, points: [] }, ['track']],
      [{ track: 'x', points: [] }, ['track']],
      [{ track: [], points: [] }, ['track']],
      [{ points: [] }, ['track']],
      [
        { track: {}, points: [{}] },
        ['points/0/latitude', 'points/0/longitude', 'points/0/timestamp', 'track/device_track_id'],
      ],
      [
        {
          track: { device_track_id: '', title: 5, start_ts: '2026-05-03T06:00:00Z', end_ts: '2026-05-03T05:00:00Z' },
          points: [{}],
        },
        [
          'points/0/latitude',
          'points/0/longitude',
          'points/0/timestamp',
          'track/device_track_id',
          'track/end_ts',
          'track/title',
        ],
      ],
      [{ track: { device_track_id: 'x' }, points: [], stats: 'many' }, ['stats']],
      [{ track: { device_track_id: 'x' }, points: [], stats: [] }, ['stats']],
      [[], ['']],
    ]

    for (const [body, places] of bodies) {
      assert.deepEqual(await wrongPlaces(await service.request('POST', '/sync', body)), places, JSON.stringify(body))
    }
  })

  test('answers 409 with the id of the track that uses the device_track_id, and stores nothing', async () => {
    const device_track_id = randomUUID()
    const first = await tracks.sync({ track: { device_track_id }, points: makePoints(2) })

    const second = await service.request('POST', '/sync', { track: { device_track_id }, points: makePoints(7) })

    const problem = await readProblem(second, 409, 'CONFLICT')
    assert.equal(problem.track_id, first)
    assert.equal((await tracks.read(first)).points_count, 2)
  })

  test('keeps copies of a point within a request', async () => {
    const [point] = makePoints(1)

    const id = await tracks.sync({ points: [point, point, point] })

    assert.equal((await tracks.read(id)).points_count, 3)
  })

  test('creates a track that can get points, be changed and be finished', async () => {
    const id = await tracks.sync({ points: makePoints(5) })

    await tracks.add(id, makePoints(10))
    await tracks.update(id, { title: 'Later', state: 'running' })
    const finished = await tracks.finish(id)

    assert.equal(finished.points_count, 10)
    assert.equal(finished.stats.duration_sec, 9)
    assert.equal(finished.title, 'Later')
    assert.equal(finished.end_ts, '2026-05-03T06:00:04.000Z')
  })
})
