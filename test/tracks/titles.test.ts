import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createEvent } from '../support/create-event.ts'
import { oneDatabase } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { makePoints } from '../support/make-points.ts'
import { startService } from '../support/start-service.ts'
import { trackRequests } from '../support/track-requests.ts'

/**
 * Starts with their titles in Paris. Summer time begins at 01:00 UTC on 2026-03-29 and ends at 01:00 UTC on 2026-10-25.
 */
const IN_PARIS = {
  '2026-01-01T00:05:00Z': 'Sortie du 1 janvier à 01h05',
  '2026-02-09T23:59:59Z': 'Sortie du 10 février à 00h59',
  '2026-03-29T00:59:00Z': 'Sortie du 29 mars à 01h59',
  '2026-03-29T01:00:00Z': 'Sortie du 29 mars à 03h00',
  '2026-04-30T22:00:00Z': 'Sortie du 1 mai à 00h00',
  '2026-06-15T10:30:00': 'Sortie du 15 juin à 12h30',
  '2026-07-14T06:15:00-00:00': 'Sortie du 14 juillet à 08h15',
  '2026-08-01T12:00:00z': 'Sortie du 1 août à 14h00',
  '2026-09-30T21:59:00Z': 'Sortie du 30 septembre à 23h59',
  '2026-10-25T00:30:00Z': 'Sortie du 25 octobre à 02h30',
  '2026-10-25T01:30:00Z': 'Sortie du 25 octobre à 02h30',
  '2026-11-11T11:11:00Z': 'Sortie du 11 novembre à 12h11',
  '2026-12-31T23:00:00Z': 'Sortie du 1 janvier à 00h00',
}

/** Starts with an offset, which determines their titles in any time zone of the server. */
const IN_THEIR_OFFSET = {
  '2026-12-31T23:30:00-05:00': 'Sortie du 31 décembre à 23h30',
  '2026-05-03T08:15:00+02:00': 'Sortie du 3 mai à 08h15',
  '2026-05-03T00:00:00+00:00': 'Sortie du 3 mai à 00h00',
  '2026-05-03T05:45:00+05:45': 'Sortie du 3 mai à 05h45',
  '2026-05-03T23:59:59.999+14:00': 'Sortie du 3 mai à 23h59',
}

describeOn(oneDatabase, 'Generated titles', async (database) => {
  const utc = await startService({ after }, database, { services: ['tracks'], signedIn: true })
  const paris = await startService({ after }, database, {
    services: ['tracks'],
    settings: { TITLE_TIME_ZONE: 'Europe/Paris' },
  })
  const inUtc = trackRequests(utc.request)
  const inParis = trackRequests(paris.request)

  test('use the offset of start_ts', async () => {
    for (const tracks of [inUtc, inParis]) {
      for (const [start_ts, title] of Object.entries(IN_THEIR_OFFSET)) {
        assert.equal((await tracks.read(await tracks.create({ start_ts }))).title, title)
        assert.equal((await tracks.read(await tracks.sync({ track: { start_ts } }))).title, title)
      }
    }
  })

  test('use TITLE_TIME_ZONE for a start_ts without an offset, in summer and winter time', async () => {
    for (const [start_ts, title] of Object.entries(IN_PARIS)) {
      assert.equal((await inParis.read(await inParis.create({ start_ts }))).title, title, start_ts)
    }
  })

  test('use the time zone of the event, in every request once it has changed', async () => {
    const fields = { name: 'Réunion', time_zone: 'Indian/Reunion' }
    const { phone, ...event } = await createEvent(utc, fields)
    const start_ts = '2026-08-01T22:00:00Z'

    const before = [await phone.create({ start_ts }), await phone.sync({ track: { start_ts } })]
    await utc.answer(200, 'PATCH', `/operator/events/${event.id}`, { time_zone: null })
    const after = await phone.create({ start_ts })

    for (const id of before) assert.equal((await phone.read(id)).title, 'Sortie du 2 août à 02h00')
    assert.equal((await phone.read(after)).title, 'Sortie du 1 août à 22h00')
  })

  test('use UTC by default', async () => {
    const track = await inUtc.read(await inUtc.create({ start_ts: '2026-08-01T12:00:00Z' }))

    assert.equal(track.title, 'Sortie du 1 août à 12h00')
  })

  test('use the first point of a sync without start_ts, in TITLE_TIME_ZONE', async () => {
    const [point] = makePoints(1)

    const id = await inParis.sync({ points: [{ ...point, timestamp: '2026-05-03T23:00:00-10:00' }] })

    assert.equal((await inParis.read(id)).title, 'Sortie du 4 mai à 11h00')
  })

  test('replace empty and blank titles', async () => {
    for (const title of ['', ' ', '\t\n', '\u00a0\u3000', null]) {
      const start_ts = '2026-05-03T06:00:00Z'

      const created = await inUtc.read(await inUtc.create({ title, start_ts }))
      const synced = await inUtc.read(await inUtc.sync({ track: { title, start_ts } }))

      assert.deepEqual([created.title, synced.title], Array(2).fill('Sortie du 3 mai à 06h00'))
    }
  })
})
