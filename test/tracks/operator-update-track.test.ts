import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OperatorTrack, TrackSummaryList } from '../../src/tracks/api/operator-track-schemas.ts'
import { createEvent } from '../support/create-event.ts'
import { describeTracks } from '../support/describe-service.ts'
import { makePoints } from '../support/make-points.ts'
import { readProblem, wrongPlaces } from '../support/problem.ts'
import { openEvents } from '../support/read-events.ts'

const UNKNOWN = '/operator/tracks/0b51a2de-6f0c-4f2b-9f0e-5f6c8d1e2a77'

describeTracks('A track that an operator corrects', { signedIn: true }, async ({ service }) => {
  const { answer, request } = service
  const { phone, ...event } = await createEvent(service, { name: 'Trail' })
  const change = async (id: string, changes: object) =>
    await answer<OperatorTrack>(200, 'PATCH', `/operator/tracks/${id}`, changes)
  const found = async (q: string) => {
    const path = `/operator/events/${event.id}/tracks?q=${encodeURIComponent(q)}`
    return (await answer<TrackSummaryList>(200, 'GET', path)).tracks.map(({ id }) => id)
  }

  test('has a new title and person, and is found by them alone', async () => {
    const id = await phone.sync({ track: { title: 'Vélo du 3', user_id: 'bib 7' }, points: makePoints(5) })

    const changed = await change(id, { title: 'Élodie', user_id: 'dossard 70' })

    assert.deepEqual([changed.title, changed.user_id], ['Élodie', 'dossard 70'])
    assert.deepEqual([await found('elodie'), await found('dossard 70')], [[id], [id]])
    assert.deepEqual([await found('velo'), await found('bib 7')], [[], []])
    assert.equal((await phone.read(id)).title, 'Élodie')
  })

  test('keeps absent fields, and null removes the person and the trim', async () => {
    const id = await phone.sync({ track: { title: 'Anna', user_id: 'anna' }, points: makePoints(5) })
    const shown_from = makePoints(5)[1].timestamp
    await change(id, { shown_from })

    const kept = await change(id, { title: 'Anna B.' })
    const removed = await change(id, { user_id: null, shown_from: null })

    assert.deepEqual([kept.user_id, kept.shown_from, kept.shown_until], ['anna', shown_from, null])
    assert.deepEqual([removed.title, removed.user_id, removed.shown_from], ['Anna B.', null, null])
  })

  test('goes on after it was reopened, without an end and with the figures of later points, and can be finished again', async () => {
    const points = makePoints(20)
    const id = await phone.sync({ track: { title: 'Too early' }, points: points.slice(0, 10) })

    const reopened = await answer<OperatorTrack>(200, 'POST', `/operator/tracks/${id}/reopen`)
    const again = await answer<OperatorTrack>(200, 'POST', `/operator/tracks/${id}/reopen`)
    await phone.add(id, points.slice(10))
    const { stats } = await answer<OperatorTrack>(200, 'GET', `/operator/tracks/${id}`)
    const finished = await answer<OperatorTrack>(200, 'POST', `/operator/tracks/${id}/finish`)

    assert.deepEqual([reopened.state, reopened.end_ts, reopened.stats.duration_sec], ['running', null, 9])
    assert.deepEqual(again, reopened)
    assert.deepEqual([stats.points_count, stats.duration_sec], [20, 19])
    assert.deepEqual([finished.state, finished.end_ts], ['stopped', points[19].timestamp])
    await answer(404, 'POST', `${UNKNOWN}/reopen`)
  })

  test('has other statistics after its activity was corrected', async () => {
    // Half a metre per second: a stroll, but standing on a bicycle.
    const points = makePoints(200).map((point, i) => ({ ...point, latitude: 48 + i * 0.0000045 }))
    const id = await phone.sync({ track: { activity_type: 'walk' }, points })
    const before = (await answer<OperatorTrack>(200, 'GET', `/operator/tracks/${id}`)).stats

    const after = await change(id, { activity_type: 'bike' })

    assert.equal(after.activity_type, 'bike')
    assert.ok(after.stats.moving_time_sec! < before.moving_time_sec!)
  })

  test('tells from when to when it was recorded, and keeps all points when it is trimmed', async () => {
    const points = makePoints(30)
    const id = await phone.sync({ points })
    const shown = { shown_from: points[5].timestamp, shown_until: points[20].timestamp }

    const { shown_from, shown_until, first_point_at, last_point_at, points_count } = await change(id, shown)

    assert.deepEqual({ shown_from, shown_until }, shown)
    assert.deepEqual([first_point_at, last_point_at], [points[0].timestamp, points[29].timestamp])
    assert.equal(points_count, 30)
    const gpx = await (await request('GET', `/operator/tracks/${id}/export?format=gpx`)).text()
    assert.equal(gpx.match(/<trkpt/g)?.length, 30)
  })

  test('reaches those who watch the event', async (t) => {
    const id = await phone.sync({ points: makePoints(5, Date.now() - 60_000) })
    const stream = await openEvents(
      `${service.url}/operator/events/${event.id}/live`,
      undefined,
      service.operator.cookie,
    )
    t.after(() => stream.close())
    await stream.until(({ event }) => event === 'ready')

    await change(id, { title: 'Seen live' })

    // Messages may be sent twice, so that an earlier title may arrive again.
    const isRenamed = (data: unknown) => (data as { title?: string }).title === 'Seen live'
    const events = await stream.until(({ data }) => isRenamed(data))

    assert.equal((events.at(-1)!.data as { id: string }).id, id)
  })

  test('is not changed by a request that changes nothing', async () => {
    const id = await phone.sync({ track: { title: 'Same' }, points: makePoints(5) })
    const { updated_at } = await phone.read(id)

    const changed = await change(id, { title: 'Same', shown_from: null })

    assert.equal(changed.updated_at, updated_at)
  })

  test('is refused a blank title, unknown activities, and an end before the beginning, each by name', async () => {
    const id = await phone.sync({ points: makePoints(5) })
    await change(id, { shown_from: '2026-05-03T08:00:00Z' })
    const wrong = {
      title: ' ',
      activity_type: 'swim',
      user_id: 'x'.repeat(256),
      shown_from: '2026-05-03T09:00:00Z',
      shown_until: '2026-05-03T08:00:00Z',
    }

    const refused = await request('PATCH', `/operator/tracks/${id}`, wrong)
    const stored = await request('PATCH', `/operator/tracks/${id}`, { shown_until: '2026-05-03T07:00:00Z' })

    assert.deepEqual(await wrongPlaces(refused), ['activity_type', 'shown_until', 'title', 'user_id'])
    assert.deepEqual(await wrongPlaces(stored), ['shown_until'])
  })

  test('is finished where the phone died, once', async () => {
    const points = makePoints(5)
    const id = await phone.create()
    await phone.add(id, points)

    const finished = await answer<OperatorTrack>(200, 'POST', `/operator/tracks/${id}/finish`)
    const again = await answer<OperatorTrack>(200, 'POST', `/operator/tracks/${id}/finish`)

    assert.deepEqual([finished.state, finished.end_ts], ['stopped', (await phone.read(id)).end_ts])
    assert.ok(Date.parse(finished.end_ts!) >= Date.parse(points[4].timestamp))
    assert.equal(again.updated_at, finished.updated_at)
  })

  test('answers 404 for a track that does not exist', async () => {
    await readProblem(await request('PATCH', UNKNOWN, { title: 'x' }), 404, 'NOT_FOUND')
    await readProblem(await request('POST', `${UNKNOWN}/finish`), 404, 'NOT_FOUND')
  })
})
