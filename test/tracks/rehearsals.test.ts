import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { Rehearsals } from '../../src/tracks/race/rehearsals.ts'
import type { DecisionList, Ranking } from '../../src/tracks/race/result-schemas.ts'
import { databases } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { LAKE, makeGpx } from '../support/make-course.ts'
import { readProblem } from '../support/problem.ts'
import { startService } from '../support/start-service.ts'

type Rehearsal = { event_id: string; elapsed_sec: number; ended_at: string | null }

const NAMES = ['Anna', 'Ben', 'Chloé', 'Dan', 'Eva', 'Finn', 'Gil', 'Hugo', 'Ida', 'Jo']

describeOn(databases, 'the rehearsal of an event', async (database) => {
  let nowMs = Date.UTC(2026, 4, 3, 5)
  const service = await startService({ after }, database, {
    services: ['tracks'],
    signedIn: true,
    now: () => nowMs,
  })
  const { operator, answer, eventId, server } = service
  const { deps } = server.tracks!
  const at = (part: string) => `/operator/events/${eventId}${part}`
  const of = (id: string, part = '') => `/operator/events/${id}${part}`
  const found = async () => (await answer<{ rehearsal: Rehearsal | null }>(200, 'GET', at('/rehearsal'))).rehearsal
  const begin = () => answer<Rehearsal>(201, 'POST', at('/rehearsal'), {})

  /** Lets five seconds pass as often as it takes until the phones have stopped, or until a time of the race. */
  async function goOn(untilSec = Number.POSITIVE_INFINITY, rehearsals = deps.rehearsals): Promise<void> {
    for (let i = 0; i < 200; i++) {
      nowMs += 5_000
      await rehearsals.step()
      const { ended_at, elapsed_sec } = (await found())!
      if (ended_at !== null || elapsed_sec >= untilSec) return
    }
    assert.fail('the rehearsal does not end')
  }

  test('needs a course and a start list', async () => {
    const withoutCourse = await service.request('POST', at('/rehearsal'), {})
    assert.match((await readProblem(withoutCourse, 409, 'CONFLICT')).detail, /no course/)
    const put = await operator.send('PUT', at('/course'), makeGpx(LAKE), 'application/gpx+xml')
    assert.equal(put.status, 200)
    const withoutList = await service.request('POST', at('/rehearsal'), {})
    assert.match((await readProblem(withoutList, 409, 'CONFLICT')).detail, /no start list/)
    const runners = NAMES.map((name, i) => ({ user_id: `r${i}`, bib: `${i + 1}`, name, category: null }))
    await deps.races.replaceRunners(eventId, runners)
    assert.equal(await found(), null)
  })

  test('runs the race of a copy, to the results and the doubts, and changes nothing of the event', async () => {
    const { url } = await answer<{ url: string }>(201, 'POST', at('/shares'), {})
    const { event_id: copyId } = await begin()

    await goOn()

    const ranking = await answer<Ranking>(200, 'GET', of(copyId, '/ranking'))
    assert.equal(ranking.entries.filter(({ state }) => state === 'finished').length, 7)
    const times = ranking.entries.flatMap(({ finish_sec: sec }) => (sec === null ? [] : [sec]))
    assert.ok(Math.min(...times) > 900 && Math.max(...times) < 1800, times.join(', '))
    const { decisions } = await answer<DecisionList>(200, 'GET', of(copyId, '/decisions'))
    assert.deepEqual(
      decisions.map(({ name, kind }) => [name, kind]).sort(),
      [
        ['Chloé', 'near_stop'],
        ['Finn', 'silent'],
      ],
      JSON.stringify(decisions),
    )
    const event = await answer<{ tracks_count: number; rehearsal_of: null }>(200, 'GET', at(''))
    assert.deepEqual([event.tracks_count, event.rehearsal_of], [0, null])
    const copy = await answer<{ tracks_count: number; rehearsal_of: string }>(200, 'GET', of(copyId))
    assert.deepEqual([copy.tracks_count, copy.rehearsal_of], [10, eventId])
    const { events } = await answer<{ events: { id: string }[] }>(200, 'GET', '/operator/events')
    assert.deepEqual(
      events.map(({ id }) => id),
      [eventId],
    )
    const shared = await fetch(`${service.url}/shares/${url.split('/').pop()}/ranking`)
    assert.ok(((await shared.json()) as Ranking).entries.every(({ state }) => state === 'not-started'))
  })

  test('is one at a time, and none of a rehearsal', async () => {
    const { event_id: copyId } = (await found())!

    const second = await service.request('POST', at('/rehearsal'), {})
    const ofCopy = await service.request('POST', of(copyId, '/rehearsal'), {})

    assert.match((await readProblem(second, 409, 'CONFLICT')).detail, /has a rehearsal already/)
    assert.match((await readProblem(ofCopy, 409, 'CONFLICT')).detail, /itself a rehearsal/)
  })

  test('is still there after a removal that fails', async () => {
    const { event_id: copyId } = (await found())!
    const events = { ...deps.events, end: () => Promise.reject(new Error('no connection')) }

    await assert.rejects(new Rehearsals({ ...deps, events }).remove(eventId), /no connection/)

    assert.equal((await found())?.event_id, copyId)
    await answer(200, 'GET', of(copyId))
  })

  test('is removed without a trace', async () => {
    const { event_id: copyId } = (await found())!

    const removed = await service.request('DELETE', at('/rehearsal'))

    assert.equal(removed.status, 204)
    assert.equal(await found(), null)
    assert.equal((await service.request('GET', of(copyId))).status, 404)
    assert.equal((await service.request('DELETE', at('/rehearsal'))).status, 404)
    const { db } = deps
    const left = async () => {
      const counts = await Promise.all(
        (['tracks', 'device_tracks', 'runners', 'races', 'live_series', 'live_frames'] as const).map((table) =>
          db.selectFrom(table).select('event_id').where('event_id', '=', copyId).execute(),
        ),
      )
      const events = await db.selectFrom('events').select('id').where('id', '=', copyId).execute()
      return counts.flat().length + events.length
    }
    while ((await left()) > 0) await wait(20)
  })

  test('ends if its copy is deleted as an event, which goes to no bin', async () => {
    const { event_id: copyId } = await begin()

    assert.equal((await service.request('DELETE', of(copyId))).status, 204)

    assert.equal(await found(), null)
    const { events } = await answer<{ events: { id: string }[] }>(200, 'GET', '/operator/bin')
    assert.deepEqual(events, [])
    await deps.rehearsals.step()
  })

  test('goes on elsewhere after the end of its instance, with each point once', async () => {
    const { event_id: copyId } = await begin()
    await goOn(400)
    const interrupted = (await found())!
    const other = new Rehearsals(deps)

    await other.step()
    assert.equal((await found())!.elapsed_sec, interrupted.elapsed_sec)
    // Points that were stored before the interruption, but not noted.
    await deps.db.updateTable('rehearsals').set({ sent_sec: 200, lease_until: 0 }).execute()
    nowMs += 60_000
    await goOn(Number.POSITIVE_INFINITY, other)

    const rows = await deps.db.selectFrom('tracks').selectAll().where('event_id', '=', copyId).execute()
    assert.equal(rows.length, 10)
    for (const { id, start_ms, last_point_ms, point_count } of rows) {
      const { points } = await answer<{ points: { timestamp: string }[] }>(
        200,
        'GET',
        `/operator/tracks/${id}/points?limit=1000`,
      )
      assert.equal(new Set(points.map(({ timestamp }) => timestamp)).size, point_count)
      assert.ok(point_count > (last_point_ms! - start_ms) / 10_000, `${point_count} points`)
    }
  })

  test('goes with its event', async () => {
    const { event_id: copyId } = (await found())!
    await deps.db.updateTable('events').set({ deleted_at: nowMs }).where('id', '=', eventId).execute()

    await deps.rehearsals.step()

    assert.equal(await deps.events.find(copyId), undefined)
  })
})
