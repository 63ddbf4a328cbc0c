import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LivePoints, LiveReady, LiveTrack } from '../../src/tracks/live/schemas.ts'
import { findPast } from '../../src/tracks/points/storage/track-changes.ts'
import type { Share } from '../../src/tracks/shares/schemas.ts'
import { createEvent } from '../support/create-event.ts'
import { oneDatabase } from '../support/databases.ts'
import { describeTracks } from '../support/describe-service.ts'
import { makePoints } from '../support/make-points.ts'
import { openEvents, type ReceivedEvent } from '../support/read-events.ts'

const START_MS = Date.UTC(2026, 4, 3, 6)
const HOUR_MS = 3_600_000

const isReady = ({ event }: ReceivedEvent) => event === 'ready'

describeTracks('The past of a live event', { on: oneDatabase, signedIn: true }, async ({ service }) => {
  const { db } = service.server.tracks!.deps

  async function freshEvent() {
    const { id, phone } = await createEvent(service, { name: 'Race' })
    /** Makes a track one that has not changed for some hours. */
    const age = async (trackId: string, hours: number) => {
      const updatedMs = Date.now() - hours * HOUR_MS
      const changed = { updated_at: updatedMs, coarse_updated_at: updatedMs }
      await db.updateTable('tracks').set(changed).where('id', '=', trackId).execute()
    }
    const snapshot = async (path = `/operator/events/${id}`) => {
      const stream = await openEvents(`${service.url}${path}/live`, undefined, service.operator.cookie)
      const events = await stream.until(isReady)
      stream.close()
      const tracks = events.filter(({ event }) => event === 'track').map(({ data }) => data as LiveTrack)
      const lines = events.filter(({ event }) => event === 'points').map(({ data }) => data as LivePoints)
      return { tracks, lines, ready: events.at(-1)!.data as LiveReady }
    }
    return { id, phone, age, snapshot }
  }

  test('stays: the winner of this morning is there, with the end of the track, while others still run', async () => {
    const { phone, age, snapshot } = await freshEvent()
    const winner = await phone.create({ title: 'Winner' })
    await phone.add(winner, makePoints(60, START_MS))
    await phone.finish(winner)
    await age(winner, 6)
    const runs = await phone.create({ title: 'Still running' })
    await phone.add(runs, makePoints(60, START_MS))

    const { tracks, lines, ready } = await snapshot()

    assert.deepEqual(tracks.map(({ title, state }) => [title, state]).sort(), [
      ['Still running', 'running'],
      ['Winner', 'stopped'],
    ])
    const [line, end] = [runs, winner].map((wanted) => lines.find(({ track_id }) => track_id === wanted)!)
    assert.deepEqual([line.track_id, line.time_ms.length, line.has_gap], [runs, 60, false])
    assert.deepEqual([end.track_id, end.time_ms, end.has_gap], [winner, [START_MS + 59_000], true])
    assert.equal(ready.tracks_left_out, 0)
  })

  test('is all there is after the event, also for the spectators of a link', async () => {
    const { id, phone, age, snapshot } = await freshEvent()
    for (const title of ['First', 'Second']) {
      const track = await phone.sync({ track: { title }, points: makePoints(5, START_MS) })
      await age(track, 24 * 5)
    }
    const share = await service.answer<Share>(201, 'POST', `/operator/events/${id}/shares`, {})

    const { tracks } = await snapshot(`/shares/${new URL(share.url!).pathname.slice(3)}`)
    // The second time, the ends are known without reading points.
    const again = await snapshot()

    assert.deepEqual(tracks.map(({ title }) => title).sort(), ['First', 'Second'])
    assert.deepEqual(
      again.lines.map(({ time_ms }) => time_ms),
      Array(2).fill([START_MS + 4000]),
    )
  })

  test('has a track that nobody finished for a day, and then no line of it', async () => {
    const { id, phone, age, snapshot } = await freshEvent()
    const share = await service.answer<Share>(201, 'POST', `/operator/events/${id}/shares`, {})
    const lost = await phone.create()
    await phone.add(lost, makePoints(5, START_MS))

    await age(lost, 20)
    const sameDay = await snapshot()
    await age(lost, 30)
    // For others, because those who come together share a snapshot.
    const nextDay = await snapshot(`/shares/${new URL(share.url!).pathname.slice(3)}`)

    assert.deepEqual(
      [sameDay, nextDay].map(({ lines }) => lines[0].time_ms.length),
      [5, 1],
    )
  })

  test('is bounded, and tells how many tracks are left out', async () => {
    const { id, phone, age } = await freshEvent()
    const ids = await Promise.all([1, 2, 3].map(() => phone.sync()))
    for (const [hours, track] of ids.entries()) await age(track, 2 + hours)
    const since = { stoppedMs: Date.now() - HOUR_MS, openMs: Date.now() - 24 * HOUR_MS }

    const { tracks, leftOut } = await findPast(db, id, since, 2)

    assert.deepEqual([tracks.map((track) => track.id), leftOut], [ids.slice(0, 2), 1])
  })

  test('tells operators the last known charge of a phone, and spectators nothing of it', async () => {
    const { id, phone, snapshot } = await freshEvent()
    const share = await service.answer<Share>(201, 'POST', `/operator/events/${id}/shares`, {})
    const track = await phone.create()
    const [first, second, third] = makePoints(3, START_MS)
    await phone.add(track, [{ ...first, battery: 0.5 }, { ...second, battery: 0.034 }, third])

    const [operator, spectator] = [await snapshot(), await snapshot(`/shares/${new URL(share.url!).pathname.slice(3)}`)]

    assert.equal(operator.tracks[0].battery_percent, 3)
    assert.equal('battery_percent' in spectator.tracks[0], false)
  })
})
