import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { TracksImported } from '../../src/tracks/imports/schemas.ts'
import { wholeEvent } from '../../src/tracks/model/track-rows.ts'
import { oneDatabase } from '../support/databases.ts'
import { describeOn, describeTracks } from '../support/describe-service.ts'
import {
  gpxOf,
  gpxTrack,
  makeFit,
  makeGeojson,
  makeGpxRecording,
  makeKml,
  makeTcx,
  walkEast,
} from '../support/make-recordings.ts'
import { readProblem, wrongPlaces } from '../support/problem.ts'
import { startService } from '../support/start-service.ts'
import type { WireTrack } from '../support/track-requests.ts'

const RECORDINGS = fileURLToPath(new URL('../data/tracks/', import.meta.url))
const ANY = 'application/octet-stream'

const FORMATS = {
  'application/gpx+xml': makeGpxRecording,
  'application/vnd.garmin.tcx+xml': makeTcx,
  'application/vnd.ant.fit': () => makeFit(),
  'application/vnd.google-earth.kml+xml': makeKml,
  'application/geo+json': makeGeojson,
}

describeTracks('POST /tracks/import', { signedIn: true }, async ({ service, tracks }) => {
  async function send(file: string | Uint8Array<ArrayBuffer>, query = '', type = ANY, headers = {}) {
    return await fetch(`${service.url}/tracks/import${query}`, {
      method: 'POST',
      headers: { 'X-API-Key': service.token, 'Content-Type': type, ...headers },
      body: file,
    })
  }

  /** A person of each test's own, so that one file can be imported in several tests. */
  let person = 0
  const anyone = () => `?user_id=runner-${++person}`

  async function imported(file: string | Uint8Array<ArrayBuffer>, query = anyone(), type = ANY) {
    const response = await send(file, query, type)
    const text = await response.text()
    assert.equal(response.status, 201, text)
    return JSON.parse(text) as TracksImported
  }

  const listed = async (query: string) =>
    (await service.answer<{ tracks: WireTrack[] }>(200, 'GET', `/tracks${query}`)).tracks

  for (const [type, make] of Object.entries(FORMATS)) {
    test(`answers 201 with the track of a file of type ${type}, which is on disk`, async () => {
      const query = anyone()

      const { tracks: made, tracks_left_out } = await imported(make(), query, type)

      assert.equal(made.length, 1)
      assert.equal(tracks_left_out, 0)
      const [{ track_id, points_left_out, ...answered }] = made
      assert.equal(points_left_out, 0)
      const { device_track_id, title, activity_type, points_count, ...track } = await tracks.read(track_id)
      assert.deepEqual(answered, { device_track_id, title, activity_type, points_count })
      assert.equal(points_count, 3)
      assert.deepEqual(
        [track.state, track.start_ts, track.end_ts, track.user_id],
        ['stopped', '2026-05-03T06:00:00.000Z', '2026-05-03T06:00:02.000Z', query.slice('?user_id='.length)],
      )
      const { points } = await tracks.points(track_id)
      for (const [i, point] of walkEast().entries()) {
        assert.equal(points[i].timestamp, point.timestamp)
        assert.equal(points[i].altitude, point.altitude)
        assert.ok(Math.abs(points[i].latitude - point.latitude) < 1e-7)
        assert.ok(Math.abs(points[i].longitude - point.longitude) < 1e-7)
      }
    })

    test(`tells ${type} by its content, also packed by gzip, and knows the file again`, async () => {
      const query = anyone()

      const { tracks: made } = await imported(make(), query)

      const problem = await readProblem(await send(gzipSync(make()), query), 409, 'CONFLICT')
      assert.equal(problem.track_id, made[0].track_id)
    })
  }

  test('creates a track for each track of a file, in its order, and leaves out those without points', async () => {
    const empty = '<trk><name>Nothing</name></trk>'
    const later = walkEast(5, Date.parse('2026-05-04T06:00:00Z'))
    const file = gpxOf(gpxTrack({ name: 'First', sport: 'Hiking' }), empty, gpxTrack({ name: 'Second', points: later }))

    const answer = await imported(file)

    assert.deepEqual(
      answer.tracks.map(({ title, activity_type, points_count }) => [title, activity_type, points_count]),
      [
        ['First', 'hike', 3],
        ['Second', 'run', 5],
      ],
    )
    assert.equal(answer.tracks_left_out, 1)
    const ids = answer.tracks.map(({ device_track_id }) => device_track_id)
    assert.match(ids.join(), /^import-([0-9a-f]{32})-1,import-\1-2$/)
  })

  test('stores all tracks of a file or none', async () => {
    const query = anyone()
    const second = gpxTrack({ points: walkEast(4) })
    const { tracks: made } = await imported(gpxOf(gpxTrack(), second), query)
    await service.server.tracks!.deps.tracks.delete(wholeEvent(service.eventId), made[0].track_id)

    const problem = await readProblem(await send(gpxOf(gpxTrack(), second), query), 409, 'CONFLICT')

    assert.equal(problem.track_id, made[1].track_id)
    assert.deepEqual(
      (await listed(query)).map(({ id }) => id),
      [made[1].track_id],
    )
  })

  test('lets two people import one file', async () => {
    const file = makeGpxRecording({ points: walkEast(7) })

    const first = await imported(file)
    const second = await imported(file)

    assert.notEqual(first.tracks[0].device_track_id, second.tracks[0].device_track_id)
  })

  test('imports a file once when it is sent many times at once', async () => {
    const file = makeGpxRecording({ points: walkEast(11) })
    const query = anyone()

    const answers = await Promise.all(Array.from({ length: 6 }, () => send(file, query)))

    // A person has one file that is read and one that waits; further ones are to be sent again.
    const [first, ...others] = answers.map(({ status }) => status).sort()
    assert.equal(first, 201)
    assert.ok(others.every((status) => status === 409 || status === 503))
    assert.equal((await send(file, query)).status, 409)
    assert.equal((await listed(query)).length, 1)
  })

  test('takes title, activity type and device_track_id of the query where a file has one track', async () => {
    const query = '?title=Tour%20du%20lac&activity_type=walk&device_track_id=mine'

    const [track] = (await imported(makeGpxRecording({ name: 'Other', sport: 'kitesurfing' }), query)).tracks

    assert.deepEqual([track.title, track.activity_type, track.device_track_id], ['Tour du lac', 'walk', 'mine'])
  })

  test('prefers the sport of the file to the activity type of the query', async () => {
    const [track] = (await imported(makeTcx({ sport: 'Biking' }), `${anyone()}&activity_type=walk`)).tracks

    assert.equal(track.activity_type, 'bike')
  })

  test('answers 400 for a title or a device_track_id of several tracks', async () => {
    const file = gpxOf(gpxTrack(), gpxTrack({ points: walkEast(4) }))

    const wrong = await wrongPlaces(await send(file, '?title=One&device_track_id=one'))

    assert.deepEqual(wrong, ['device_track_id', 'title'])
  })

  test('answers 400 for a query that is not valid', async () => {
    const query = `?activity_type=swim&title=${'a'.repeat(501)}&user_id=${'a'.repeat(256)}&device_track_id=`

    const wrong = await wrongPlaces(await send(makeGpxRecording(), query))

    assert.deepEqual(wrong, ['activity_type', 'device_track_id', 'title', 'user_id'])
  })

  test('generates a title in the local time that the file states', async () => {
    const points = walkEast(2).map((point) => ({ ...point, timestamp: point.timestamp.replace('Z', '+02:00') }))

    const [track] = (await imported(makeGpxRecording({ points }))).tracks

    assert.equal(track.title, 'Sortie du 3 mai à 06h00')
    assert.equal((await tracks.read(track.track_id)).start_ts, '2026-05-03T04:00:00.000Z')
  })

  test('gives the totals of the device as statistics, next to the computed ones', async () => {
    const [{ track_id }] = (await imported(makeFit([{ sport: 2, points: walkEast(61), distanceMeters: 432.1 }]))).tracks

    const { stats, computed_stats, activity_type } = await tracks.read(track_id)

    assert.equal(activity_type, 'bike')
    assert.deepEqual([stats.distance_meters, stats.duration_sec], [432.1, 60])
    assert.ok(Math.abs(computed_stats!.distance_meters - 468) < 5, String(computed_stats!.distance_meters))
  })

  test('makes a track of each session of a FIT file, with the points of its time', async () => {
    const ride = walkEast(4)
    const run = walkEast(6, Date.parse('2026-05-03T07:00:00Z'))
    const file = makeFit([
      { sport: 2, points: ride },
      { sport: 1, points: run },
    ])

    const { tracks: made } = await imported(file)

    assert.deepEqual(
      made.map(({ activity_type, points_count }) => [activity_type, points_count]),
      [
        ['bike', 4],
        ['run', 6],
      ],
    )
  })

  test('leaves out and counts points without a time and off the globe', async () => {
    const points = '<trkpt lat="45" lon="6"/><trkpt lat="91" lon="6"><time>2026-05-03T06:00:00Z</time></trkpt>'
    const good = '<trkpt lat="45" lon="6"><time>2026-05-03T06:00:00Z</time></trkpt>'

    const [track] = (await imported(gpxOf(`<trk><trkseg>${points}${good}</trkseg></trk>`))).tracks

    assert.deepEqual([track.points_count, track.points_left_out], [1, 2])
  })

  test('gives the tracks of a participant token its user_id, and answers 400 for another one', async () => {
    const token = await service.createToken({ permissions: ['record', 'read'], userId: 'anna' })
    const asAnna = { 'X-API-Key': token }
    const file = makeGpxRecording({ points: walkEast(13) })

    const made = (await (await send(file, '', ANY, asAnna)).json()) as TracksImported
    const again = await send(file, '?user_id=anna')
    const wrong = await wrongPlaces(await send(file, '?user_id=ben', ANY, asAnna))

    assert.equal((await tracks.read(made.tracks[0].track_id)).user_id, 'anna')
    assert.equal((await readProblem(again, 409, 'CONFLICT')).track_id, made.tracks[0].track_id)
    assert.deepEqual(wrong, ['user_id'])
  })

  test('answers 403 to a token that may only read', async () => {
    const token = await service.createToken({ permissions: ['read'] })

    const response = await send(makeGpxRecording(), '', ANY, { 'X-API-Key': token })

    assert.match((await readProblem(response, 403, 'FORBIDDEN')).detail!, /record/)
  })

  test('answers a repeated Idempotency-Key with the first answer, and 410 once a track is deleted', async () => {
    const query = anyone()
    const file = gpxOf(gpxTrack({ name: 'One' }), gpxTrack({ name: 'Two' }))
    const repeat = () => send(file, query, ANY, { 'Idempotency-Key': 'import-1' })
    const first = (await (await repeat()).json()) as TracksImported

    const again = await repeat()

    assert.equal(again.status, 201)
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
    assert.deepEqual(await again.json(), first)
    const other = await send(gpxOf(gpxTrack()), query, ANY, { 'Idempotency-Key': 'import-1' })
    await readProblem(other, 422, 'UNPROCESSABLE')
    await service.server.tracks!.deps.tracks.delete(wholeEvent(service.eventId), first.tracks[1].track_id)
    await readProblem(await repeat(), 410, 'GONE')
  })

  test('answers 415 for another type, and 422 for a file of another format than its type', async () => {
    const json = await send(makeGeojson(), '', 'application/json')
    const wrong = await send(makeGpxRecording(), '', 'application/vnd.ant.fit')

    await readProblem(json, 415, 'UNSUPPORTED_MEDIA_TYPE')
    const problem = await readProblem(wrong, 422, 'UNPROCESSABLE')
    assert.deepEqual([problem.detail, problem.reason], ['The file is no FIT file.', 'unknown_format'])
  })

  test('answers 403 when the event has reached its limit of tracks, and stores none of the file', async () => {
    const { id, token } = await service.createEvent('Small')
    await service.answer(200, 'PATCH', `/operator/events/${id}`, { max_tracks: 1 })
    const file = gpxOf(gpxTrack(), gpxTrack({ points: walkEast(4) }))

    const response = await send(file, '', ANY, { 'X-API-Key': token })

    await readProblem(response, 403, 'FORBIDDEN')
    const { tracks: none } = await service.answer<{ tracks: unknown[] }>(200, 'GET', `/operator/events/${id}/tracks`)
    assert.deepEqual(none, [])
  })

  test('imports the recordings of real devices, and refuses the one that is cut short', async () => {
    const outcomes: [string, string][] = []
    for (const name of readdirSync(RECORDINGS)
      .filter((name) => name.endsWith('.fit'))
      .sort()) {
      const response = await send(readFileSync(RECORDINGS + name), anyone())
      const answer = (await response.json()) as TracksImported & { detail: string }
      const made = answer.tracks?.map(
        ({ activity_type, points_count, points_left_out }) => `${activity_type} ${points_count}-${points_left_out}`,
      )
      outcomes.push([name, made?.join() ?? `${response.status} ${answer.detail}`])
    }

    assert.deepEqual(outcomes, [
      ['2013-02-06-12-11-14.fit', 'run 583-0'],
      ['2015-10-13-08-43-15.fit', 'bike 221-0'],
      ['2019-02-17-062644-ELEMNT-297E-195-0.fit', 'bike 13348-0'],
      ['Edge810-Vector-2013-08-16-15-35-10.fit', 'bike 4700-0'],
      ['activity-small-fenix2-run.fit', 'run 2809-0'],
      ['coros-pace-2-cycling-misaligned-fields.fit', 'bike 10305-0'],
      ['garmin-edge-500-activity.fit', 'bike 10677-0'],
      ['sample-activity.fit', 'bike 2965-0'],
      [
        'strava-android-app-201.10-b1218918.fit',
        '422 The file is cut short: its header announces 78252 bytes, and 78233 are there.',
      ],
    ])
  })
})

describeOn(oneDatabase, 'POST /operator/events/:id/import', async (database) => {
  const service = await startService({ after }, database, { services: ['tracks'], signedIn: true })

  test('imports a file into the event', async () => {
    const path = `/operator/events/${service.eventId}/import?user_id=anna`

    const response = await service.operator.send('POST', path, makeGpxRecording(), ANY)

    assert.equal(response.status, 201)
    const [{ track_id }] = ((await response.json()) as TracksImported).tracks
    const track = await service.answer<WireTrack>(200, 'GET', `/tracks/${track_id}`)
    assert.deepEqual([track.user_id, track.points_count], ['anna', 3])
  })

  test('answers 404 for an unknown event', async () => {
    const unknown = '/operator/events/00000000-0000-4000-8000-000000000000/import'

    await readProblem(await service.operator.send('POST', unknown, makeGpxRecording(), ANY), 404, 'NOT_FOUND')
  })
})
