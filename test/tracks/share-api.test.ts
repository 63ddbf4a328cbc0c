import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Share, SharedTrackList, SharedView, ShareList } from '../../src/tracks/shares/schemas.ts'
import type { SplitList, TrackSeries } from '../../src/tracks/statistics/schemas.ts'
import { createEvent } from '../support/create-event.ts'
import { databases } from '../support/databases.ts'
import { describeOn, describeTracks } from '../support/describe-service.ts'
import { makePoints } from '../support/make-points.ts'
import { readProblem, wrongPlaces } from '../support/problem.ts'
import { openEvents } from '../support/read-events.ts'
import { startService } from '../support/start-service.ts'

const BASE_URL = 'https://localhost:8443'
const SECRETS = { device_track_id: 'secret-device', user_id: 'secret-user' }

describeTracks('Shares', { signedIn: true, settings: { BASE_URL } }, async ({ service }) => {
  const { answer, request } = service

  /** Creates an event with a track. `share` returns the path for spectators. */
  async function freshEvent() {
    const fields = { name: 'Trail', note: 'secret-note', starts_on: '2026-05-03', time_zone: 'Europe/Paris' }
    const { id, phone } = await createEvent(service, fields)
    const trackId = await phone.create({ title: 'Anna', ...SECRETS })
    await phone.add(trackId, makePoints(5))
    const share = async (body: object = {}) => {
      const made = await answer<Share>(201, 'POST', `/operator/events/${id}/shares`, body)
      return { ...made, path: `/shares/${new URL(made.url!).pathname.slice(3)}` }
    }
    return { id, trackId, phone, share }
  }

  test('show an event with its tracks, without users, devices and notes', async () => {
    const event = await freshEvent()
    const { path, url, expires_at } = await event.share()

    const view = await answer<SharedView>(200, 'GET', path)
    const list = await answer<SharedTrackList>(200, 'GET', `${path}/tracks`)

    assert.ok(url?.startsWith(`${BASE_URL}/s/shr_`))
    assert.deepEqual(view, {
      kind: 'event',
      title: 'Trail',
      event: {
        name: 'Trail',
        starts_on: '2026-05-03',
        ends_on: null,
        effective_time_zone: 'Europe/Paris',
        no_signal_after_sec: 300,
        spectator_delay_sec: 0,
      },
      track_id: null,
      expires_at,
    })
    assert.deepEqual(
      list.tracks.map(({ id, title }) => [id, title]),
      [[event.trackId, 'Anna']],
    )
    assert.ok(!JSON.stringify([view, list]).includes('secret'))
  })

  test('show a single track only', async () => {
    const event = await freshEvent()
    const otherId = await event.phone.create()
    const { path } = await event.share({ track_id: event.trackId })

    const view = await answer<SharedView>(200, 'GET', path)
    const list = await answer<SharedTrackList>(200, 'GET', `${path}/tracks`)
    const series = await answer<TrackSeries>(200, 'GET', `${path}/tracks/${event.trackId}/series`)

    assert.deepEqual([view.kind, view.title, view.track_id], ['track', 'Anna', event.trackId])
    assert.deepEqual(
      list.tracks.map(({ id }) => id),
      [event.trackId],
    )
    assert.equal(series.time_ms.length, 5)
    await readProblem(await request('GET', `${path}/tracks/${otherId}/series`), 404, 'NOT_FOUND')
    await readProblem(await request('GET', `${path}/tracks/${otherId}/splits`), 404, 'NOT_FOUND')
  })

  test('return the splits of a track, by kilometre or mile, that add up to its distance', async () => {
    const event = await freshEvent()
    const { path } = await event.share()
    const { stats } = await event.phone.read(event.trackId)

    const { splits } = await answer<SplitList>(200, 'GET', `${path}/tracks/${event.trackId}/splits`)
    const miles = await answer<SplitList>(200, 'GET', `${path}/tracks/${event.trackId}/splits?unit=mi`)

    const meters = (list: SplitList['splits']) => list.reduce((sum, { distance_meters }) => sum + distance_meters, 0)
    assert.ok(stats.distance_meters > 0)
    for (const list of [splits, miles.splits]) assert.ok(Math.abs(meters(list) - stats.distance_meters) < 0.01)
    const wrong = await request('GET', `${path}/tracks/${event.trackId}/splits?unit=league`)
    assert.deepEqual(await wrongPlaces(wrong), ['unit'])
  })

  test('refuse tracks of another event', async () => {
    const [event, foreign] = [await freshEvent(), await freshEvent()]
    const { path } = await event.share()

    await readProblem(await request('GET', `${path}/tracks/${foreign.trackId}/series`), 404, 'NOT_FOUND')
    const body = { track_id: foreign.trackId }
    await readProblem(await request('POST', `/operator/events/${event.id}/shares`, body), 404, 'NOT_FOUND')
  })

  test('stream changes to spectators, of a single track only its own', async (t) => {
    const event = await freshEvent()
    const { path } = await event.share({ track_id: event.trackId })
    const stream = await openEvents(`${service.url}${path}/live`)
    t.after(() => stream.close())
    const before = await stream.until(({ event }) => event === 'ready')
    await event.phone.create()
    await event.phone.add(event.trackId, makePoints(2, Date.UTC(2026, 4, 4)))

    const events = await stream.until(({ event }) => event === 'points')

    assert.deepEqual(
      [before, events]
        .flat()
        .map(({ event }) => event)
        .filter((name, i, names) => name !== names[i - 1]),
      ['track', 'points', 'ready', 'track', 'points'],
    )
    assert.ok(!JSON.stringify([before, events]).includes('secret'))
  })

  test('end when revoked, also for viewers with an open stream', async (t) => {
    const event = await freshEvent()
    const { id, path } = await event.share()
    const stream = await openEvents(`${service.url}${path}/live`)
    t.after(() => stream.close())

    await answer(204, 'DELETE', `/operator/shares/${id}`)

    for (const rest of ['', '/tracks', '/live', `/tracks/${event.trackId}/series`, `/tracks/${event.trackId}/splits`]) {
      await readProblem(await request('GET', path + rest), 410, 'GONE')
    }
    const events = await stream.until(({ event }) => event === 'ended')
    assert.deepEqual(events.at(-1)?.data, { reason: 'revoked' })
  })

  test('answer 410 once expired, and 404 if unknown', async () => {
    const event = await freshEvent()
    const { id, path } = await event.share({ expires_at: '2099-01-01T00:00:00Z' })
    await service.server.tracks!.deps.db.updateTable('shares').set({ expires_at: 1 }).where('id', '=', id).execute()

    await readProblem(await request('GET', path), 410, 'GONE')
    await readProblem(await request('GET', '/shares/shr_unknown'), 404, 'NOT_FOUND')
  })

  test('answer 410 for a deleted track, and 404 for a deleted event', async () => {
    const event = await freshEvent()
    const [ofTrack, ofEvent] = [await event.share({ track_id: event.trackId }), await event.share()]

    await answer(204, 'DELETE', `/operator/tracks/${event.trackId}`)
    const afterTrack = await request('GET', ofTrack.path)
    await answer(204, 'DELETE', `/operator/events/${event.id}`)

    await readProblem(afterTrack, 410, 'GONE')
    await readProblem(await request('GET', ofEvent.path), 404, 'NOT_FOUND')
  })

  test('are listed with their links, ended ones included', async () => {
    const event = await freshEvent()
    const share = await event.share({ label: 'Families', track_id: event.trackId })
    await answer(204, 'DELETE', `/operator/shares/${share.id}`)

    const { shares } = await answer<ShareList>(200, 'GET', `/operator/events/${event.id}/shares`)

    assert.deepEqual(
      shares.map(({ label, url, track_title, revoked_at }) => [label, url, track_title, typeof revoked_at]),
      [['Families', share.url, 'Anna', 'string']],
    )
  })

  test('end by default, after 30 days or a week after the event, and never only if that is said', async () => {
    const event = await freshEvent()
    const days = async (body: object) => {
      const { expires_at } = await event.share(body)
      return expires_at === null ? null : Math.round((Date.parse(expires_at) - Date.now()) / 86_400_000)
    }
    const lastDay = new Date(Date.now() + 60 * 86_400_000).toISOString().slice(0, 10)

    assert.deepEqual([await days({}), await days({ expires_at: null })], [30, 30])
    assert.equal(await days({ never_expires: true }), null)
    await answer(200, 'PATCH', `/operator/events/${event.id}`, { ends_on: lastDay })
    assert.ok([67, 68, 69].includes((await days({}))!))
    const both = { never_expires: true, expires_at: '2099-01-01T00:00:00Z' }
    assert.deepEqual(await wrongPlaces(await request('POST', `/operator/events/${event.id}/shares`, both)), [
      'expires_at',
    ])
  })

  test('refuse an end in the past, together with other wrong fields', async () => {
    const event = await freshEvent()
    const body = { expires_at: '2020-01-01T00:00:00Z', label: 'x'.repeat(201) }

    assert.deepEqual(await wrongPlaces(await request('POST', `/operator/events/${event.id}/shares`, body)), [
      'expires_at',
      'label',
    ])
  })
})

describeOn(databases, 'The rate limit of spectators', async (database) => {
  const { request } = await startService({ after }, database, {
    services: ['tracks', 'dashboard'],
    settings: { TRACKS_RATE_LIMIT: '3' },
  })

  test('counts requests by address, unknown tokens included', async () => {
    const statuses = []
    for (let i = 0; i < 5; i++) statuses.push((await request('GET', `/shares/shr_${i}`)).status)

    assert.deepEqual(statuses, [404, 404, 404, 429, 429])
  })
})
