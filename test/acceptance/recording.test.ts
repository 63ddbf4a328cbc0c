import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { TRACKS_ALONE } from '../durability/installation.ts'
import { databases } from '../support/databases.ts'
import { makePoints } from '../support/make-points.ts'
import { readProblem } from '../support/problem.ts'
import { startProgram } from './start-program.ts'

for (const database of databases) {
  describe(`Recording a track on ${database.name}`, async () => {
    const { request, tracks } = await startProgram({ after }, database, TRACKS_ALONE)

    test('in real time: create, send points in batches, finish, read back', async () => {
      const created = await request('POST', '/tracks', {
        device_track_id: 'watch-7',
        title: 'Boucle du lac',
        activity_type: 'hike',
        start_ts: '2026-05-03T08:00:00+02:00',
        user_id: 'u-1',
        image_url: 'https://pictures.example/lac.jpg',
      })
      assert.equal(created.status, 201)
      const { id, device_track_id } = (await created.json()) as { id: string; device_track_id: string }
      assert.equal(device_track_id, 'watch-7')

      const points = makePoints(120, undefined, {
        altitude: 430,
        accuracy: 4,
        speed_mps: 1.1,
        heading: 0,
        battery: 0.8,
      })
      for (let from = 0; from < points.length; from += 30) {
        const sent = await request('POST', `/tracks/${id}/points`, { points: points.slice(from, from + 30) })
        assert.deepEqual([sent.status, await sent.text()], [204, ''])
      }
      const finished = await request('POST', `/tracks/${id}/finish`)

      assert.equal(finished.status, 200)
      const track = await tracks.read(id)
      assert.deepEqual(await finished.json(), track)
      const { stats, created_at, updated_at, ...fields } = track
      assert.deepEqual(fields, {
        id,
        device_track_id: 'watch-7',
        title: 'Boucle du lac',
        activity_type: 'hike',
        state: 'stopped',
        start_ts: '2026-05-03T06:00:00.000Z',
        end_ts: '2026-05-03T06:01:59.000Z',
        user_id: 'u-1',
        image_url: 'https://pictures.example/lac.jpg',
        points_count: 120,
      })
      assert.ok(Math.abs(stats.distance_meters - 132.3) < 0.5)
      assert.equal(stats.duration_sec, 119)
      assert.ok(Math.abs(stats.mean_speed_mps - stats.distance_meters / 119) < 1e-6)
      assert.ok(Math.abs(stats.pace_sec_per_km - 119_000 / stats.distance_meters) < 1e-6)
      assert.equal(stats.elevation_gain_m, 0)
      for (const time of [created_at, updated_at]) assert.equal(new Date(time).toISOString(), time)
      assert.deepEqual(await tracks.points(id), { track_id: id, count: 120, points })
    })

    test('at the end of the session: everything in one request', async () => {
      const points = makePoints(60, undefined, { origin: 'native' })
      const stats = { distance_meters: 1000.5, duration_sec: 61 }

      const synced = await request('POST', '/sync', {
        track: { device_track_id: 'phone-1', end_ts: '2026-05-03T06:01:01Z' },
        points,
        stats,
      })

      assert.equal(synced.status, 201)
      const { track_id, ...rest } = (await synced.json()) as { track_id: string }
      assert.deepEqual(rest, {})
      const track = await tracks.read(track_id)
      assert.equal(track.state, 'stopped')
      assert.equal(track.activity_type, 'run')
      assert.equal(track.title, 'Sortie du 3 mai à 06h00')
      assert.equal(track.end_ts, '2026-05-03T06:01:01.000Z')
      assert.equal(track.points_count, 60)
      assert.deepEqual([track.stats.distance_meters, track.stats.duration_sec], [1000.5, 61])
      assert.equal(track.computed_stats?.duration_sec, 59)
      const { points: listed } = await tracks.points(track_id)
      assert.deepEqual(
        listed,
        points.map(({ origin, ...point }) => point),
      )
    })

    test('points are listed by timestamp, all or a range', async () => {
      const points = makePoints(10)
      const id = await tracks.create()
      await tracks.add(id, points.toReversed())

      assert.deepEqual((await tracks.points(id)).points, points)
      assert.deepEqual((await tracks.points(id, '?limit=3&offset=8')).points, points.slice(8))
      assert.equal((await request('GET', `/tracks/${id}/points?limit=50001`)).status, 400)
    })

    test('a given state replaces any other, together with title and end_ts', async () => {
      const id = await tracks.create({ start_ts: '2026-05-03T06:00:00Z' })
      assert.equal((await tracks.read(id)).state, 'running')

      for (const state of ['paused', 'stopped', 'paused', 'running', 'stopped', 'running']) {
        const title = `Now ${state}`
        const changed = await request('PATCH', `/tracks/${id}`, { state, title, end_ts: '2026-05-03T07:00:00Z' })

        assert.equal(changed.status, 200)
        const track = await tracks.read(id)
        assert.deepEqual(await changed.json(), track)
        assert.deepEqual([track.state, track.title, track.end_ts], [state, title, '2026-05-03T07:00:00.000Z'])
      }
    })

    test('the limits of the specification hold on both sides', async () => {
      const id = await tracks.create()
      const longest = { device_track_id: 'd'.repeat(100), title: 't'.repeat(500), user_id: 'u'.repeat(255) }

      await tracks.create(longest)
      await tracks.add(id, makePoints(10_000))
      await tracks.sync({ points: makePoints(50_000) })

      for (const [field, value] of Object.entries(longest)) {
        const body = { device_track_id: 'other', [field]: `${value}x` }
        await readProblem(await request('POST', '/tracks', body), 400, 'BAD_REQUEST')
      }
      await readProblem(await request('POST', '/tracks', { device_track_id: '' }), 400, 'BAD_REQUEST')
      const tooMany = { points: makePoints(10_001) }
      await readProblem(await request('POST', `/tracks/${id}/points`, tooMany), 400, 'BAD_REQUEST')
      const farTooMany = { track: { device_track_id: 'many' }, points: makePoints(50_001) }
      await readProblem(await request('POST', '/sync', farTooMany), 400, 'BAD_REQUEST')
    })
  })

  describe(`refused requests on ${database.name}`, async () => {
    const { process, request, tracks } = await startProgram({ after }, database, {
      ...TRACKS_ALONE,
      TRACKS_RATE_LIMIT: '20',
    })

    test('every error of the specification has its status and its code', async () => {
      const taken = await tracks.create({ device_track_id: 'taken' })
      const unknown = '/tracks/00000000-0000-4000-8000-000000000000'

      const invalid = await request('POST', '/tracks', { device_track_id: 5 })
      const missing = await fetch(`${process.url}/tracks/${taken}`)
      const wrong = await request('GET', `/tracks/${taken}`, undefined, { 'X-API-Key': 'trk_wrong' })
      const notFound = await request('GET', unknown)
      const conflict = await request('POST', '/tracks', { device_track_id: 'taken' })
      const many = await Promise.all(Array.from({ length: 40 }, () => request('GET', `/tracks/${taken}`)))

      assert.deepEqual((await readProblem(invalid, 400, 'BAD_REQUEST')).errors, [
        { path: 'device_track_id', message: 'must be string' },
      ])
      await readProblem(missing, 401, 'UNAUTHORIZED')
      await readProblem(wrong, 401, 'UNAUTHORIZED')
      await readProblem(notFound, 404, 'NOT_FOUND')
      assert.equal((await readProblem(conflict, 409, 'CONFLICT')).track_id, taken)
      const limited = many.find(({ status }) => status === 429)!
      await readProblem(limited, 429, 'RATE_LIMIT')
      assert.match(limited.headers.get('retry-after') ?? '', /^\d+$/)
    })
  })
}
