import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { databases } from '../support/databases.ts'
import { makePoints } from '../support/make-points.ts'
import { type ApiClient, answered, apiClient } from './api-client.ts'
import { checkAfterCrash, pointCount } from './check-tracks.ts'
import { errorsLogged, openInstallation, type RunningInstallation, TRACKS_ALONE } from './installation.ts'
import { startLoad } from './load.ts'
import type { Ledger } from './recorded-track.ts'
import { seededRandom } from './seeded-random.ts'

/** Requests of phones that write to some ten tracks, and read them from the other instance. */
const REQUESTS = 150

type Named = { device_track_id: string }

for (const database of databases.filter(({ name }) => name === 'PostgreSQL')) {
  describe('Two instances on one PostgreSQL database', async () => {
    const installation = await openInstallation({ after }, database.prepare, TRACKS_ALONE)
    const [one, other] = [await installation.start(), await installation.start()]

    // Before other tracks are there, which the phones do not know.
    test('each show at once what the other acknowledged, under load', async (t) => {
      const random = seededRandom(t)
      const ledger: Ledger = []
      let turn = 0
      const alternately: ApiClient = (...request) => (turn++ % 2 === 0 ? one : other).send(...request)

      const load = startLoad(alternately, random, ledger)
      await load.untilSent(REQUESTS)
      load.stop()
      await load.ended

      assert.deepEqual([...errorsLogged(one), ...errorsLogged(other)], [])
      await checkAfterCrash(other, installation, { recent: ledger, ledger, random })
      t.diagnostic(`${load.requests()} requests, ${ledger.length} tracks, ${pointCount(ledger)} points`)
    })

    test('store once what both receive at the same time', async () => {
      const { id } = await answered<{ id: string }>(201, one.send('POST', '/tracks', { device_track_id: 'both' }))
      const all = makePoints(40 * 30 + 30)

      for (let round = 0; round < 40; round++) {
        // Even rounds send the same to both, odd rounds batches that overlap by half. Both overlap the previous round.
        const from = round * 30
        const shift = round % 2 === 0 ? 0 : 15
        const [toOne, toOther] = [all.slice(from, from + 45), all.slice(from + shift, from + shift + 45)]
        await Promise.all([sendPoints(one.send, id, toOne), sendPoints(other.send, id, toOther)])
        const shownPoints = Math.min(all.length, from + shift + 45)
        const shown = await answered<{ count: number }>(200, other.send('GET', `/tracks/${id}/points`))
        assert.equal(shown.count, shownPoints)
      }

      for (const { send } of [one, other]) {
        const { points } = await answered<{ points: unknown[] }>(200, send('GET', `/tracks/${id}/points`))
        assert.deepEqual(points, all)
      }
      assert.deepEqual([...errorsLogged(one), ...errorsLogged(other)], [])
    })

    test('create one track per Idempotency-Key, and one per device_track_id', async () => {
      for (let round = 0; round < 15; round++) {
        const body = { device_track_id: `keyed-${round}` }
        const key = { 'Idempotency-Key': `key-${round}` }
        const keyed = await Promise.all(
          [one, other].map(({ send }) => answered<{ id: string }>(201, send('POST', '/tracks', body, key))),
        )
        assert.equal(keyed[0].id, keyed[1].id)

        const unkeyed = await Promise.all(
          [one, other].map(({ send }) => send('POST', '/tracks', { device_track_id: `unkeyed-${round}` })),
        )
        const [made, refused] = unkeyed.map((answer) => answer!).sort((a, b) => a.status - b.status)
        assert.deepEqual([made.status, refused.status], [201, 409])
        assert.equal((refused.json as { track_id: string }).track_id, (made.json as { id: string }).id)
      }
      const { tracks } = await answered<{ tracks: Named[] }>(200, one.send('GET', '/tracks?limit=1000'))
      assert.equal(tracks.filter(({ device_track_id }) => device_track_id.includes('keyed-')).length, 30)
    })

    test('both refuse a token as soon as it has been rotated', async () => {
      const created = (await installation.command('events', 'create', 'Trail')).answer as { id: string; token: string }
      let { token } = created

      for (let round = 0; round < 3; round++) {
        const before = token
        await Promise.all([one, other].map(({ url }) => answered(200, apiClient(url, before)('GET', '/tracks'))))
        const rotated = (await installation.command('events', 'rotate', created.id)).answer as { token: string }
        const statuses = await Promise.all(
          [one, other].map(async ({ url }) => (await apiClient(url, before)('GET', '/tracks'))?.status),
        )
        token = rotated.token

        assert.deepEqual(statuses, [401, 401])
        await Promise.all([one, other].map(({ url }) => answered(200, apiClient(url, token)('GET', '/tracks'))))
      }
    })

    test('compact the same tracks without losing a point', async () => {
      const tracks = await Promise.all(
        ['a', 'b', 'c'].map(async (name) => {
          const { id } = await answered<{ id: string }>(201, one.send('POST', '/tracks', { device_track_id: name }))
          return id
        }),
      )
      const points = makePoints(140 * 2)

      // Beyond 64 chunks, each batch and each finish starts a compaction on the instance that received it.
      for (let at = 0; at < points.length; at += 4) {
        await Promise.all(
          tracks.flatMap((id) => [
            sendPoints(one.send, id, points.slice(at, at + 2)),
            sendPoints(other.send, id, points.slice(at + 2, at + 4)),
          ]),
        )
        if (at % 80 !== 0) continue
        await Promise.all(
          tracks.flatMap((id) => [one, other].map(({ send }) => answered(200, send('POST', `/tracks/${id}/finish`)))),
        )
      }
      await untilMerged([one, other])

      for (const id of tracks) {
        const listed = await answered<{ points: unknown[] }>(200, other.send('GET', `/tracks/${id}/points`))
        assert.deepEqual(listed.points, points)
      }
      const { answer } = await installation.command('storage', 'verify')
      assert.deepEqual((answer as { broken: unknown[] }).broken, [])
      const stats = (await installation.command('storage', 'stats')).answer as { merged_chunks: number }
      assert(stats.merged_chunks > 0, 'nothing was merged')
      assert.deepEqual([...errorsLogged(one), ...errorsLogged(other)], [])
    })
  })
}

function sendPoints(send: ApiClient, id: string, points: unknown[]): Promise<unknown> {
  return answered(204, send('POST', `/tracks/${id}/points`, { points }))
}

/**
 * Waits until neither instance has anything queued. The current track may still be in progress, which the test is
 * about.
 */
async function untilMerged(instances: RunningInstallation[]): Promise<void> {
  for (const { url } of instances) {
    while (!/^tracks_merge_queue_length 0$/m.test(await (await fetch(`${url}/metrics`)).text())) await wait(50)
  }
}
