import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { inTransaction } from '#platform/database/transaction.ts'
import { newTrackRow } from '../../src/tracks/api/create-track.ts'
import type { CreatedEvent, OperatorEvent, OperatorEventList } from '../../src/tracks/api/event-schemas.ts'
import type { AppTokenList, ShownAppToken } from '../../src/tracks/api/token-schemas.ts'
import { describeTracks } from '../support/describe-service.ts'
import { makePoints } from '../support/make-points.ts'
import { readProblem, wrongPlaces } from '../support/problem.ts'
import { rejection } from '../support/rejection.ts'
import { trackRequests } from '../support/track-requests.ts'

describeTracks('Events and app tokens', { signedIn: true }, async ({ service }) => {
  const { answer, request } = service

  const createEvent = async (fields: object = {}) =>
    await answer<CreatedEvent>(201, 'POST', '/operator/events', { name: 'Trail', ...fields })
  const withToken = (token: string | null) =>
    trackRequests((method, path, json) => request(method, path, json, { 'X-API-Key': token! }))
  const statusWith = async (token: string | null) =>
    (await request('GET', '/tracks', undefined, { 'X-API-Key': token! })).status

  test('POST /operator/events returns a token in plain text that phones can use at once', async () => {
    const event = await createEvent({ note: 'At the lake', starts_on: '2026-05-03', ends_on: '2026-05-04' })

    assert.equal(event.note, 'At the lake')
    assert.deepEqual([event.starts_on, event.ends_on], ['2026-05-03', '2026-05-04'])
    assert.match(event.token.token!, /^trk_/)
    assert.equal(await statusWith(event.token.token), 200)
  })

  test('GET /operator/events lists all events with their counts, newest first', async () => {
    const event = await createEvent({ name: 'Counted' })
    const tracks = withToken(event.token.token)
    await tracks.sync({ points: makePoints(3) })
    await tracks.add(await tracks.create(), makePoints(2))

    const { events } = await answer<OperatorEventList>(200, 'GET', '/operator/events')

    const { tracks_count, running_tracks_count, points_count, last_point_at } = events[0]
    assert.deepEqual(
      { tracks_count, running_tracks_count, points_count, last_point_at },
      { tracks_count: 2, running_tracks_count: 1, points_count: 5, last_point_at: makePoints(3)[2].timestamp },
    )
    assert.deepEqual(
      await answer<OperatorEvent>(200, 'GET', `/operator/events/${event.id}`),
      events.find(({ id }) => id === event.id),
    )
  })

  test('GET /operator/events tells no last point of a time to come, which a phone with a wrong clock sends', async () => {
    const event = await createEvent({ name: 'Wrong clock' })
    const tracks = withToken(event.token.token)
    await tracks.sync({ points: makePoints(3) })
    await tracks.add(await tracks.create(), makePoints(1, Date.UTC(2085, 0, 1)))

    const { last_point_at, points_count } = await answer<OperatorEvent>(200, 'GET', `/operator/events/${event.id}`)

    assert.deepEqual([last_point_at, points_count], [makePoints(3)[2].timestamp, 4])
  })

  test('PATCH /operator/events/:id leaves absent fields unchanged, and null removes a value', async () => {
    const { id } = await createEvent({ note: 'Old', starts_on: '2026-05-03', max_tracks: 5 })

    const changed = await answer<OperatorEvent>(200, 'PATCH', `/operator/events/${id}`, {
      name: 'New name',
      note: null,
    })

    assert.deepEqual(
      [changed.name, changed.note, changed.starts_on, changed.max_tracks],
      ['New name', null, '2026-05-03', 5],
    )
  })

  test('POST and PATCH refuse impossible dates, an end before the start and an empty name, all at once', async () => {
    const { id } = await createEvent({ starts_on: '2026-05-03' })

    const created = await request('POST', '/operator/events', { name: '', starts_on: '2026-02-30' })
    const reversed = { starts_on: '2026-05-03', ends_on: '2026-05-02', max_tracks: -1 }
    const createdReversed = await request('POST', '/operator/events', { name: 'x', ...reversed })
    const backwards = await request('PATCH', `/operator/events/${id}`, { ends_on: '2026-05-02' })

    assert.deepEqual(await wrongPlaces(created), ['name', 'starts_on'])
    assert.deepEqual(await wrongPlaces(createdReversed), ['ends_on', 'max_tracks'])
    assert.deepEqual(await wrongPlaces(backwards), ['ends_on'])
  })

  test('says in which time zone its times are shown: its own, or that of the server', async () => {
    const event = await createEvent({ time_zone: 'America/Cayenne' })
    const path = `/operator/events/${event.id}`

    const without = await answer<OperatorEvent>(200, 'PATCH', path, { time_zone: null })

    assert.deepEqual([event.time_zone, event.effective_time_zone], ['America/Cayenne', 'America/Cayenne'])
    assert.deepEqual([without.time_zone, without.effective_time_zone], [null, 'UTC'])
  })

  test('stores when a signal is lost, a battery is low, and what spectators see later', async () => {
    const watched = { no_signal_after_sec: 900, low_battery_percent: 25, spectator_delay_sec: 600 }
    const event = await createEvent(watched)

    const { no_signal_after_sec, low_battery_percent, spectator_delay_sec } = await answer<OperatorEvent>(
      200,
      'PATCH',
      `/operator/events/${event.id}`,
      { no_signal_after_sec: null, spectator_delay_sec: 0 },
    )

    assert.deepEqual({ ...event, ...watched }, event)
    assert.deepEqual([no_signal_after_sec, low_battery_percent, spectator_delay_sec], [null, 25, 0])
  })

  test('POST and PATCH refuse an unknown time zone and limits out of range, naming each field', async () => {
    const { id } = await createEvent()
    const wrong = {
      time_zone: 'Europe/Atlantis',
      no_signal_after_sec: 5,
      low_battery_percent: 101,
      spectator_delay_sec: -1,
    }

    const created = await request('POST', '/operator/events', { name: 'x', ...wrong })
    const changed = await request('PATCH', `/operator/events/${id}`, wrong)
    const empty = await request('PATCH', `/operator/events/${id}`, { time_zone: '' })

    assert.deepEqual(await wrongPlaces(created), Object.keys(wrong).sort())
    assert.deepEqual(await wrongPlaces(changed), Object.keys(wrong).sort())
    assert.deepEqual(await wrongPlaces(empty), ['time_zone'])
  })

  test('DELETE /operator/events/:id deletes its tracks, and its token fails at once', async () => {
    const event = await createEvent()
    const trackId = await withToken(event.token.token).sync({ points: makePoints(3) })

    await answer(204, 'DELETE', `/operator/events/${event.id}`)

    assert.equal(await statusWith(event.token.token), 401)
    for (const path of [`/operator/events/${event.id}`, `/operator/tracks/${trackId}`]) {
      await readProblem(await request('GET', path), 404, 'NOT_FOUND')
    }
    await readProblem(await request('DELETE', `/operator/events/${event.id}`), 404, 'NOT_FOUND')
  })

  test('lists tokens masked, and shows one in full on request', async () => {
    const event = await createEvent()
    const further = await answer<ShownAppToken>(201, 'POST', `/operator/events/${event.id}/tokens`, {
      label: 'Timing',
    })

    const path = `/operator/events/${event.id}/tokens`
    const { tokens } = await answer<AppTokenList>(200, 'GET', path)

    assert.deepEqual(tokens.map(({ label }) => label).sort(), ['Timing', null].sort())
    assert.ok(!JSON.stringify(tokens).includes(further.token!))
    assert.equal((await answer<ShownAppToken>(200, 'GET', `${path}/${further.id}`)).token, further.token)
    assert.deepEqual([await statusWith(event.token.token), await statusWith(further.token)], [200, 200])
  })

  test('rotation ends the other tokens at once, or after the given time', async () => {
    const event = await createEvent()
    const path = `/operator/events/${event.id}/tokens/rotate`

    const kept = await answer<ShownAppToken>(201, 'POST', path, { keep_sec: 3600 })
    const whileKept = [await statusWith(event.token.token), await statusWith(kept.token)]
    const only = await answer<ShownAppToken>(201, 'POST', path, {})

    assert.deepEqual(whileKept, [200, 200])
    assert.deepEqual(
      [await statusWith(event.token.token), await statusWith(kept.token), await statusWith(only.token)],
      [401, 401, 200],
    )
  })

  test('refuses a revoked token from the next request on, and only that one', async () => {
    const event = await createEvent()
    const path = `/operator/events/${event.id}/tokens`
    const further = await answer<ShownAppToken>(201, 'POST', path, {})

    await answer(204, 'DELETE', `${path}/${event.token.id}`)

    assert.deepEqual([await statusWith(event.token.token), await statusWith(further.token)], [401, 200])
    await readProblem(await request('DELETE', `${path}/${event.token.id}`), 404, 'NOT_FOUND')
  })

  test('records when a token was last used', async () => {
    const event = await createEvent()
    await statusWith(event.token.token)
    await service.server.tracks!.deps.tokenUse.write()

    const { tokens } = await answer<AppTokenList>(200, 'GET', `/operator/events/${event.id}/tokens`)

    assert.equal(event.token.last_used_at, null)
    assert.ok(Date.parse(tokens[0].last_used_at!) >= Date.parse(event.created_at))
  })

  test('enforces the limit of tracks, also for concurrent requests', async () => {
    const event = await createEvent({ max_tracks: 3 })
    const create = (device_track_id: string) =>
      request('POST', '/tracks', { device_track_id }, { 'X-API-Key': event.token.token! })

    const statuses = await Promise.all(Array.from({ length: 8 }, async (_, i) => (await create(`${i}`)).status))

    assert.deepEqual(statuses.sort(), [201, 201, 201, 403, 403, 403, 403, 403])
    const { detail } = await readProblem(await create('late'), 403, 'FORBIDDEN')
    assert.equal(detail, 'This event has reached its limit of 3 tracks.')
  })

  test('enforces a limit that another instance has set a moment ago', async () => {
    const event = await createEvent({})
    const { db, tracks } = service.server.tracks!.deps
    await db.updateTable('events').set({ max_tracks: 1 }).where('id', '=', event.id).execute()
    const scope = { eventId: event.id, userId: null }
    const facts = { scope, nowMs: Date.now(), titleTimeZone: 'UTC', state: 'running' } as const
    const create = (device_track_id: string, meanwhile?: () => Promise<unknown>) =>
      inTransaction(db, async (transaction) => {
        await tracks.create(transaction, scope, () => ({ row: newTrackRow({ device_track_id }, facts) }))
        await meanwhile?.()
      })
    let second: Promise<unknown> = Promise.resolve()

    await create('first', async () => {
      second = rejection(create('second'))
      // It waits for the first one; without the lock, it would be over long before.
      await Promise.race([second, wait(200)])
    })

    assert.match(String(await second), /has reached its limit of 1 tracks/)
  })

  test('counts the tracks of a full event once in a few seconds, and still names the track of a known device', async (t) => {
    const event = await createEvent({ max_tracks: 1 })
    const create = (device_track_id: string) =>
      request('POST', '/tracks', { device_track_id }, { 'X-API-Key': event.token.token! })
    const { id } = (await (await create('known')).json()) as { id: string }
    await readProblem(await create('first refused'), 403, 'FORBIDDEN')
    const { db, limits } = service.server.tracks!.deps
    const { mock } = t.mock.method(limits, 'refresh', async () => {})
    await db.updateTable('tracks').set({ event_id: 'another event' }).where('id', '=', id).execute()

    const uncounted = await create('refused without a count')
    const known = await create('known')
    mock.restore()
    await limits.refresh()
    const counted = await create('counted again')

    await readProblem(uncounted, 403, 'FORBIDDEN')
    const { track_id } = (await readProblem(known, 409, 'CONFLICT')) as unknown as { track_id: string }
    assert.equal(track_id, id)
    assert.equal(counted.status, 201)
  })

  test('refuses points once the limit of points is reached', async () => {
    const event = await createEvent({ max_points: 3 })
    const tracks = withToken(event.token.token)
    const id = await tracks.create()
    await tracks.add(id, makePoints(3))
    await service.server.tracks!.deps.limits.refresh()

    const more = { points: makePoints(1, Date.UTC(2026, 5, 1)) }
    const refused = await request('POST', `/tracks/${id}/points`, more, { 'X-API-Key': event.token.token! })
    const sync = { track: { device_track_id: 'x' }, ...more }
    const refusedSync = await request('POST', '/sync', sync, { 'X-API-Key': event.token.token! })
    await answer(200, 'PATCH', `/operator/events/${event.id}`, { max_points: null })

    await readProblem(refused, 403, 'FORBIDDEN')
    await readProblem(refusedSync, 403, 'FORBIDDEN')
    await tracks.add(id, more.points)
  })
})
