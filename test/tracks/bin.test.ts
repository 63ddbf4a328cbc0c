import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { tracksLayout } from '../../src/tracks/model/tables.ts'
import { databases } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { makePoints } from '../support/make-points.ts'
import { readProblem } from '../support/problem.ts'
import { signIn } from '../support/sign-in.ts'
import { startService } from '../support/start-service.ts'
import { trackRequests } from '../support/track-requests.ts'

type Bin = { days: number; events: { id: string; name: string }[]; tracks: { id: string; name: string }[] }

const DAY_MS = 86_400_000

describeOn(databases, 'the bin', async (database) => {
  let aheadMs = 0
  const now = () => Date.now() + aheadMs
  const service = await startService({ after }, database, { services: ['tracks'], signedIn: true, now })
  const { request, answer, eventId, token } = service
  const { db } = service.server.tracks!.deps
  const tracks = trackRequests(request)
  const readBin = () => answer<Bin>(200, 'GET', '/operator/bin')
  const binned = async (id: string) => {
    const { events, tracks: found } = await readBin()
    return [...events, ...found].find((thing) => thing.id === id)
  }
  const statusWith = async (path: string, appToken: string) =>
    (await fetch(service.url + path, { headers: { 'x-api-key': appToken } })).status

  async function newEvent() {
    const { id, token: first } = await answer<{ id: string; token: { token: string } }>(
      201,
      'POST',
      '/operator/events',
      {
        name: 'Lake trail',
      },
    )
    const made = await fetch(`${service.url}/tracks`, {
      method: 'POST',
      headers: { 'x-api-key': first.token, 'content-type': 'application/json' },
      body: JSON.stringify({ device_track_id: 'phone-1', user_id: 'anna', activity_type: 'run' }),
    })
    const { id: trackId } = (await made.json()) as { id: string }
    return { id, token: first.token, trackId }
  }

  /** Removes what is due, as the hourly job does, at a later time. */
  async function cleanLater(days: number): Promise<void> {
    aheadMs = days * DAY_MS
    await service.server.tracks!.deps.bin.removeDue()
    aheadMs = 0
  }

  test('keeps a track with its points and shares, and gives it back as it was', async () => {
    const id = await tracks.sync({ track: { title: 'Anna', user_id: 'anna' }, points: makePoints(5) })
    const before = await answer<{ revision?: number; updated_at: string }>(200, 'GET', `/operator/tracks/${id}`)
    const { url } = await answer<{ url: string }>(201, 'POST', `/operator/events/${eventId}/shares`, { track_id: id })

    await answer(204, 'DELETE', `/operator/tracks/${id}`)

    assert.equal((await binned(id))?.name, 'Anna')
    assert.equal((await readBin()).days, 7)
    await readProblem(await request('GET', `/tracks/${id}`), 404, 'NOT_FOUND')
    await readProblem(await request('POST', `/tracks/${id}/points`, { points: makePoints(1) }), 404, 'NOT_FOUND')
    await readProblem(await request('GET', `/operator/tracks/${id}`), 404, 'NOT_FOUND')
    assert.equal((await fetch(url)).status, 410)
    await answer(204, 'POST', `/operator/bin/tracks/${id}/restore`)
    const { updated_at, ...restored } = await answer<typeof before>(200, 'GET', `/operator/tracks/${id}`)
    const { updated_at: changedBefore, ...same } = before
    assert.deepEqual(restored, same)
    assert.ok(updated_at > changedBefore)
    assert.equal((await tracks.points(id)).count, 5)
    assert.equal((await fetch(url)).status, 200)
    assert.equal(await binned(id), undefined)
    await readProblem(await request('POST', `/operator/bin/tracks/${id}/restore`), 404, 'NOT_FOUND')
  })

  test('keeps a track whose device_track_id another one has by now', async () => {
    const track = { device_track_id: randomUUID() }
    const first = await tracks.sync({ track, points: makePoints(2) })
    await answer(204, 'DELETE', `/operator/tracks/${first}`)
    const second = await tracks.sync({ track })

    await readProblem(await request('POST', `/operator/bin/tracks/${first}/restore`), 409, 'CONFLICT')

    assert.ok(await binned(first))
    await service.asManager('DELETE', `/tracks/${second}`)
    assert.equal(await binned(second), undefined, 'a token deletes for good')
    await answer(204, 'POST', `/operator/bin/tracks/${first}/restore`)
    assert.equal((await tracks.points(first)).count, 2)
  })

  test('loses a track for good when somebody says so, with its points', async () => {
    const id = await tracks.sync({ points: makePoints(2) })
    await answer(204, 'DELETE', `/operator/tracks/${id}`)

    await answer(204, 'DELETE', `/operator/bin/tracks/${id}`)

    await readProblem(await request('POST', `/operator/bin/tracks/${id}/restore`), 404, 'NOT_FOUND')
    assert.deepEqual(await db.selectFrom('chunks').select('count').where('track_id', '=', id).execute(), [])
  })

  test('keeps an event: its tokens and shares are gone, and valid again once it is restored', async () => {
    const event = await newEvent()
    const { url } = await answer<{ url: string }>(201, 'POST', `/operator/events/${event.id}/shares`, {})
    const path = `/tracks/${event.trackId}`
    assert.equal(await statusWith(path, event.token), 200)

    await answer(204, 'DELETE', `/operator/events/${event.id}`)

    assert.equal((await binned(event.id))?.name, 'Lake trail')
    assert.equal(await statusWith(path, event.token), 401)
    assert.equal((await fetch(url)).status, 404)
    await readProblem(await request('GET', `/operator/events/${event.id}`), 404, 'NOT_FOUND')
    await readProblem(await request('GET', `/operator/tracks/${event.trackId}`), 404, 'NOT_FOUND')
    await answer(204, 'POST', `/operator/bin/events/${event.id}/restore`)
    assert.equal(await statusWith(path, event.token), 200)
    assert.equal((await fetch(url)).status, 200)
    assert.equal(await binned(event.id), undefined)
  })

  test('loses everything of an event that somebody deletes for good', async () => {
    const event = await newEvent()
    await answer(204, 'DELETE', `/operator/tracks/${event.trackId}`)
    await answer(204, 'DELETE', `/operator/events/${event.id}`)
    assert.equal(await binned(event.trackId), undefined, 'it comes back with its event')
    await readProblem(await request('POST', `/operator/bin/tracks/${event.trackId}/restore`), 404, 'NOT_FOUND')

    await answer(204, 'DELETE', `/operator/bin/events/${event.id}`)

    while ((await db.selectFrom('events').select('id').where('id', '=', event.id).execute()).length > 0) await wait(20)
    for (const table of Object.keys(tracksLayout) as (keyof typeof tracksLayout)[]) {
      const rows = await db
        .selectFrom(table as 'tracks')
        .selectAll()
        .execute()
      assert.doesNotMatch(JSON.stringify(rows), new RegExp(`${event.id}|${event.trackId}`), table)
    }
  })

  test('is emptied once the days are over', async () => {
    const [old, event] = [await tracks.sync({ points: makePoints(2) }), await newEvent()]
    await answer(204, 'DELETE', `/operator/tracks/${old}`)
    await answer(204, 'DELETE', `/operator/events/${event.id}`)
    await cleanLater(6)
    assert.ok((await binned(old)) && (await binned(event.id)))

    await cleanLater(8)

    assert.deepEqual([await binned(old), await binned(event.id)], [undefined, undefined])
    assert.deepEqual(await db.selectFrom('chunks').select('count').where('track_id', '=', old).execute(), [])
    await readProblem(await request('POST', `/operator/bin/events/${event.id}/restore`), 404, 'NOT_FOUND')
  })

  test('has nothing left of a person whose data is erased', async () => {
    const event = await newEvent()
    const user_id = 'somebody'
    const id = await tracks.sync({ track: { user_id }, points: makePoints(4) })
    await answer(204, 'DELETE', `/operator/tracks/${id}`)
    const preview = await answer<{ tracks: number; points: number }>(200, 'POST', '/operator/erasures/preview', {
      user_id,
    })
    assert.equal(preview.points, 4)

    const receipt = await answer<{ erased: { points: number } }>(201, 'POST', '/operator/erasures', {
      user_id,
    })

    assert.equal(receipt.erased.points, 4)
    assert.equal(await binned(id), undefined)
    assert.deepEqual(await db.selectFrom('chunks').select('count').where('track_id', '=', id).execute(), [])
    await answer(204, 'DELETE', `/operator/events/${event.id}`)
    await answer(201, 'POST', '/operator/erasures', { user_id: 'anna' })
    await answer(204, 'POST', `/operator/bin/events/${event.id}/restore`)
    await readProblem(await request('GET', `/operator/tracks/${event.trackId}`), 404, 'NOT_FOUND')
  })

  test('shows an operator the events within reach alone', async () => {
    const id = await tracks.sync({ points: makePoints(2) })
    const event = await newEvent()
    await answer(204, 'DELETE', `/operator/tracks/${id}`)
    await answer(204, 'DELETE', `/operator/tracks/${event.trackId}`)
    const editor = await signIn(service, { role: 'editor', limitedTo: { events: [event.id], workspaces: [] } })

    const seen = (await (await editor.request('GET', '/operator/bin')).json()) as Bin
    const foreign = await editor.request('POST', `/operator/bin/tracks/${id}/restore`)
    const own = await editor.request('POST', `/operator/bin/tracks/${event.trackId}/restore`)

    assert.deepEqual([seen.events, seen.tracks.map((track) => track.id)], [[], [event.trackId]])
    assert.deepEqual([foreign.status, own.status], [404, 204])
  })

  test('is switched off by BIN_DAYS=0', async (t) => {
    const without = await startService(t, database, {
      services: ['tracks'],
      signedIn: true,
      settings: { BIN_DAYS: '0' },
    })
    const id = await trackRequests(without.request).sync({ points: makePoints(2) })

    await without.answer(204, 'DELETE', `/operator/tracks/${id}`)
    await without.answer(204, 'DELETE', `/operator/events/${without.eventId}`)

    assert.deepEqual(await without.answer<Bin>(200, 'GET', '/operator/bin'), { days: 0, events: [], tracks: [] })
  })

  test('leaves its own token alone', async () => assert.equal(await statusWith('/tracks', token), 200))
})
