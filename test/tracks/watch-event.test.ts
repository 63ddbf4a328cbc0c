import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { TrackSummary } from '../../src/tracks/api/operator-track-schemas.ts'
import type { LiveAsOf, LivePoints } from '../../src/tracks/live/schemas.ts'
import { createEvent } from '../support/create-event.ts'
import { oneDatabase } from '../support/databases.ts'
import { describeTracks } from '../support/describe-service.ts'
import { makePoints } from '../support/make-points.ts'
import { readProblem } from '../support/problem.ts'
import { openEvents, type ReceivedEvent } from '../support/read-events.ts'

const START_MS = Date.UTC(2026, 4, 3, 6)
const pointsAt = (count: number, minute: number) => makePoints(count, START_MS + minute * 60_000)

const isReady = ({ event }: ReceivedEvent) => event === 'ready'
const isAbout = (id: string, name: string) => (received: ReceivedEvent) => {
  const { id: ownId, track_id } = received.data as { id?: string; track_id?: string }
  return received.event === name && (ownId ?? track_id) === id
}
/** Returns the times of the positions of one track, in the order of arrival. */
const timesOf = (events: readonly ReceivedEvent[], id: string) =>
  events.filter(isAbout(id, 'points')).flatMap(({ data }) => (data as LivePoints).time_ms)
const timesOfPoints = (points: readonly { timestamp: string }[]) => points.map(({ timestamp }) => Date.parse(timestamp))

describeTracks('GET /operator/events/:id/live', { on: oneDatabase, signedIn: true }, async ({ service, database }) => {
  // With SQLite there is only one instance.
  const other = database.name === 'PostgreSQL' ? await service.startAnother() : service
  const { cookie } = service.operator

  async function freshEvent() {
    const { id, phone } = await createEvent(service, { name: 'Live' })
    /** Watches on the instance that phones do not use. */
    const watch = async (t: TestContext, lastEventId?: string) => {
      const reader = await openEvents(`${other.url}/operator/events/${id}/live`, lastEventId, cookie)
      t.after(() => reader.close())
      return reader
    }
    return { id, ...phone, watch }
  }

  test('sends a snapshot of active tracks with the ends of their lines, then ready', async (t) => {
    const event = await freshEvent()
    const id = await event.create({ title: 'Running' })
    await event.add(id, pointsAt(5, 0))

    const events = await (await event.watch(t)).until(isReady)

    assert.deepEqual(
      events.map(({ event }) => event),
      ['track', 'points', 'ready'],
    )
    assert.equal((events[0].data as TrackSummary).title, 'Running')
    assert.deepEqual(timesOf(events, id), timesOfPoints(pointsAt(5, 0)))
  })

  test('sends new tracks, new points and changes of any instance', async (t) => {
    const event = await freshEvent()
    const stream = await event.watch(t)
    await stream.until(isReady)

    const id = await event.create()
    await stream.until(isAbout(id, 'track'))
    await event.add(id, pointsAt(3, 0))
    const first = await stream.until(isAbout(id, 'points'))
    await event.add(id, pointsAt(2, 1))
    const second = await stream.until(isAbout(id, 'points'))
    await event.finish(id)
    const finished = await stream.until(({ data }) => (data as TrackSummary).state === 'stopped')

    assert.deepEqual(timesOf(first, id), timesOfPoints(pointsAt(3, 0)))
    assert.deepEqual(timesOf(second, id), timesOfPoints(pointsAt(2, 1)))
    assert.equal(finished.at(-1)?.event, 'track')
  })

  test('sends track-deleted for a deleted track', async (t) => {
    const event = await freshEvent()
    const id = await event.create()
    const stream = await event.watch(t)
    await stream.until(isReady)

    await service.answer(204, 'DELETE', `/operator/tracks/${id}`)

    await stream.until(isAbout(id, 'track-deleted'))
  })

  test('sends what changed during a disconnection, also on another instance', async (t) => {
    const event = await freshEvent()
    const [grows, isDeleted] = [await event.create(), await event.create()]
    await event.add(grows, pointsAt(3, 0))
    const before = await openEvents(`${service.url}/operator/events/${event.id}/live`, undefined, cookie)
    const { id: lastEventId } = (await before.until(isReady)).at(-1)!
    before.close()
    await event.add(grows, pointsAt(4, 1))
    await service.answer(204, 'DELETE', `/operator/tracks/${isDeleted}`)
    const isNew = await event.create()

    const events = await (await event.watch(t, lastEventId)).until(isReady)

    const times = new Set(timesOf(events, grows))
    for (const time of timesOfPoints(pointsAt(4, 1))) assert.ok(times.has(time))
    assert.ok(events.some(isAbout(isNew, 'track')))
    assert.ok(events.some(isAbout(isDeleted, 'track-deleted')))
  })

  test('sends ids from which a client can resume without loss', async (t) => {
    const event = await freshEvent()
    const stream = await event.watch(t)
    await stream.until(isReady)
    const id = await event.create()
    const { id: lastEventId } = (await stream.until(({ id }) => id !== undefined)).at(-1)!
    stream.close()
    await event.add(id, pointsAt(3, 0))

    const events = await (await event.watch(t, lastEventId)).until(isReady)

    assert.deepEqual(timesOf(events, id), timesOfPoints(pointsAt(3, 0)))
  })

  test('resumes without loss also for tracks that started long ago and are polled less often', async (t) => {
    const event = await freshEvent()
    const recent = await event.create()
    const stream = await event.watch(t)
    await stream.until(isReady)
    const old = await event.create({ start_ts: '2020-01-01T00:00:00Z' })
    const { db } = service.server.tracks!.deps
    const laterMs = Date.now() + 60_000
    const later = { updated_at: laterMs, coarse_updated_at: laterMs }
    await db.updateTable('tracks').set(later).where('id', '=', recent).execute()
    const told = await stream.until(isAbout(recent, 'track'))
    stream.close()

    const events = await (await event.watch(t, told.at(-1)!.id)).until(isReady)

    assert.ok(events.some(isAbout(old, 'track')))
  })

  test('reduces a long line to its last half hour and sets has_gap', async (t) => {
    const event = await freshEvent()
    const id = await event.create()
    const points = makePoints(3000, START_MS)
    await event.add(id, points)

    const events = await (await event.watch(t)).until(isReady)

    const { has_gap, time_ms } = events.find(isAbout(id, 'points'))!.data as LivePoints
    const lastMs = Date.parse(points[2999].timestamp)
    assert.deepEqual([has_gap, time_ms.length, time_ms.at(-1)], [true, 200, lastMs])
    assert.ok(time_ms[0] > lastMs - 30 * 60_000)
  })

  test('says every few seconds until when the client has every change', async (t) => {
    const event = await freshEvent()
    const stream = await event.watch(t)
    const [ready] = (await stream.until(isReady)).slice(-1)

    const [asOf] = await stream.until(({ event }) => event === 'as-of')

    const { as_of, lag_ms } = asOf.data as LiveAsOf
    assert.ok(as_of > (ready.data as LiveAsOf).as_of)
    assert.ok(Date.parse(as_of) + lag_ms <= Date.now())
  })

  test('sends no tracks of other events', async (t) => {
    const [event, foreign] = [await freshEvent(), await freshEvent()]
    await foreign.create()
    const stream = await event.watch(t)
    await stream.until(isReady)
    await foreign.create()
    const id = await event.create()

    const events = await stream.until(isAbout(id, 'track'))

    assert.equal(events.length, 1)
  })

  test('ends the stream when the event is deleted', async (t) => {
    const event = await freshEvent()
    const stream = await event.watch(t)
    await stream.until(isReady)

    await service.answer(204, 'DELETE', `/operator/events/${event.id}`)

    const events = await stream.until(({ event }) => event === 'ended')
    assert.deepEqual(events.at(-1)?.data, { reason: 'deleted' })
    assert.equal(await stream.isEnded(), true)
  })

  test('answers 404 for an unknown event', async () => {
    await readProblem(await service.request('GET', '/operator/events/unknown/live'), 404, 'NOT_FOUND')
  })
})
