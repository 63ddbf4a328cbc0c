import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Track } from '../../src/tracks/api/track-schemas.ts'
import { oneDatabase } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import {
  adjustableClock,
  arrange,
  openEvent,
  startForWebhooks,
  until,
  type Webhook,
} from '../support/event-webhooks.ts'
import { makePoints } from '../support/make-points.ts'
import { readProblem } from '../support/problem.ts'
import { verifyMessage } from '../support/webhook-receiver.ts'

/** A text that a receiver may answer: it repeats what it was told. */
const ANSWER = 'Thank you for “Morning run”'

/** Returns a track without a runner as messages tell of it. */
const named = (track: Track) => ({ ...track, name: track.title })

describeOn(oneDatabase, 'webhooks of an event', async (database) => {
  const shared = await startForWebhooks({ after }, database)

  test('tell of tracks that are created, finished and deleted, with what GET answers', async (t) => {
    const { service, receiver, create } = await openEvent(t, shared)
    const { secret } = await create()

    const { id } = await service.answer<{ id: string }>(201, 'POST', '/tracks', { device_track_id: 'a' })
    const [created] = await receiver.until(1)
    const asCreated = named(await service.answer<Track>(200, 'GET', `/tracks/${id}`))
    await service.answer(204, 'POST', `/tracks/${id}/points`, { points: makePoints(20) })
    await service.answer(200, 'POST', `/tracks/${id}/finish`)
    const [, finished] = await receiver.until(2)
    const asFinished = named(await service.answer<Track>(200, 'GET', `/tracks/${id}`))
    assert.equal((await service.asManager('DELETE', `/tracks/${id}`)).status, 204)
    const [, , deleted] = await receiver.until(3)

    assert.equal(created.type, 'track.created')
    assert.deepEqual(created.data, asCreated)
    assert.equal(finished.type, 'track.finished')
    assert.deepEqual(finished.data, asFinished)
    assert.equal(deleted.type, 'track.deleted')
    assert.deepEqual(deleted.data, { id })
    for (const message of receiver.received) verifyMessage(secret, message)
    assert.equal(new Set(receiver.received.map((message) => message.id)).size, 3)
  })

  test('tell of a synced track both that it was created and that it is finished', async (t) => {
    const { service, receiver, create } = await openEvent(t, shared)
    await create()
    const body = { track: { device_track_id: 's' }, points: makePoints(30) }

    const { track_id } = await service.answer<{ track_id: string }>(201, 'POST', '/sync', body)
    const messages = await receiver.until(2)

    const track = named(await service.answer<Track>(200, 'GET', `/tracks/${track_id}`))
    assert.deepEqual(messages.map(({ type }) => type).sort(), ['track.created', 'track.finished'])
    for (const { data } of messages) assert.deepEqual(data, track)
  })

  test('tell of each imported track', async (t) => {
    const { service, receiver, create } = await openEvent(t, shared)
    await create()
    const points = makePoints(3).map(
      ({ latitude, longitude, timestamp }) =>
        `<trkpt lat="${latitude}" lon="${longitude}"><time>${timestamp}</time></trkpt>`,
    )
    const track = `<trk><trkseg>${points.join('')}</trkseg></trk>`

    const imported = await fetch(`${service.url}/tracks/import`, {
      method: 'POST',
      headers: { 'X-API-Key': service.token, 'Content-Type': 'application/gpx+xml' },
      body: `<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">${track}${track}</gpx>`,
    })

    assert.equal(imported.status, 201)
    const messages = await receiver.until(4)
    assert.deepEqual(messages.map(({ type }) => type).sort(), [
      'track.created',
      'track.created',
      'track.finished',
      'track.finished',
    ])
    for (const { data } of messages) {
      assert.deepEqual(data, named(await service.answer<Track>(200, 'GET', `/tracks/${data.id}`)))
    }
  })

  test('send nothing for a track that is finished again, for another event, or for types that were not chosen', async (t) => {
    const { service, path, receiver, create } = await openEvent(t, shared)
    await create({ types: ['track.finished'] })
    const other = await service.createEvent('Other')
    const asOther = { 'X-API-Key': other.token }
    const { id } = await service.answer<{ id: string }>(201, 'POST', '/tracks', { device_track_id: 'a' })

    await service.answer(200, 'POST', `/tracks/${id}/finish`)
    await service.answer(200, 'POST', `/tracks/${id}/finish`)
    const body = { track: { device_track_id: 'o' }, points: [] }
    assert.equal((await service.request('POST', '/sync', body, asOther)).status, 201)
    const { webhooks } = await service.answer<{ webhooks: Webhook[] }>(200, 'GET', path)
    await service.answer(202, 'POST', `${path}/${webhooks[0].id}/test`)
    const messages = await receiver.until(2)

    assert.deepEqual(messages.map(({ type }) => type).sort(), ['track.finished', 'webhook.test'])
  })

  test('tell that a track is finished again after it was resumed', async (t) => {
    const { service, receiver, create } = await openEvent(t, shared)
    await create({ types: ['track.finished', 'track.reopened'] })
    const { id } = await service.answer<{ id: string }>(201, 'POST', '/tracks', { device_track_id: 'a' })
    await service.answer(200, 'POST', `/tracks/${id}/finish`)

    await service.answer(200, 'PATCH', `/tracks/${id}`, { state: 'running' })
    await service.answer(200, 'PATCH', `/tracks/${id}`, { state: 'stopped' })

    const messages = await receiver.until(3)
    assert.deepEqual(messages.map(({ type, data }) => `${type} ${data.state}`).sort(), [
      'track.finished stopped',
      'track.finished stopped',
      'track.reopened running',
    ])
  })

  test('sign with both secrets while they are exchanged', async (t) => {
    const clock = adjustableClock()
    const { service, path, receiver, create } = await arrange(
      t,
      await startForWebhooks(t, database, { now: clock.now }),
    )
    const first = await create()

    const second = await service.answer<Webhook>(200, 'POST', `${path}/${first.id}/secret`, { keep: '24h' })
    await service.answer(202, 'POST', `${path}/${first.id}/test`)
    const [during] = await receiver.until(1)
    clock.advance(25 * 3_600_000)
    await service.answer(202, 'POST', `${path}/${first.id}/test`)
    const [, after] = await receiver.until(2)

    assert.notEqual(second.secret, first.secret)
    assert.ok(second.former_secret_ends_at)
    for (const { secret } of [first, second]) verifyMessage(secret, during)
    assert.equal(during.headers['webhook-signature'].split(' ').length, 2)
    assert.equal(after.headers['webhook-signature'].split(' ').length, 1)
  })

  test('forget the texts of a deleted track once they are delivered', async (t) => {
    const late = Promise.withResolvers<void>()
    const { service, path, receiver, create, log } = await openEvent(t, shared, async (response, _message, at) => {
      if (at === 2) await late.promise
      response.end(ANSWER)
    })
    const { id } = await create()
    const track = await service.answer<{ id: string }>(201, 'POST', '/tracks', { device_track_id: 'a' })
    const [created] = await receiver.until(1)
    await until(
      () => log(id),
      ([found]) => found.status === 'delivered',
    )

    const answered = await log(id)
    assert.equal((await service.asManager('DELETE', `/tracks/${track.id}`)).status, 204)

    assert.deepEqual(
      answered.map(({ response_body }) => response_body),
      [ANSWER],
    )
    const deliveries = `${path}/${id}/deliveries`
    await readProblem(await service.request('POST', `${deliveries}/${created.id}/redeliver`), 410, 'GONE')
    const [, deleted] = await receiver.until(2)
    await until(
      () => log(id),
      ([found]) => found.status === 'delivered',
    )
    const other = await service.answer<{ id: string }>(201, 'POST', '/tracks', { device_track_id: 'b' })
    await receiver.until(3)
    assert.equal((await service.asManager('DELETE', `/tracks/${other.id}`)).status, 204)
    late.resolve()
    await until(
      () => log(id),
      (found) => found.length === 4 && found.every(({ status }) => status === 'delivered'),
    )
    assert.ok(!JSON.stringify(await log(id)).includes('Morning run'))
    await service.answer(202, 'POST', `${deliveries}/${deleted.id}/redeliver`)
  })
})
