import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { databases } from '../support/databases.ts'
import { makePoints } from '../support/make-points.ts'
import { answered } from './api-client.ts'
import { checkAfterCrash, pointCount } from './check-tracks.ts'
import { range } from './choose-points.ts'
import { errorsLogged, openInstallation, type RunningInstallation, TRACKS_ALONE } from './installation.ts'
import { startLoad } from './load.ts'
import { type Batch, type Ledger, pointsOf } from './recorded-track.ts'
import { seededRandom } from './seeded-random.ts'

/** Time that an orchestrator allows before it kills. */
const STOPS_WITHIN_MS = 10_000

for (const database of databases) {
  describe(`a process that gets SIGTERM while phones send, on ${database.name}`, () => {
    test('completes the request whose body is arriving, exits with code 0, and gave true responses', async (t) => {
      const random = seededRandom(t)
      const ledger: Ledger = []
      const installation = await openInstallation(t, database.prepare, TRACKS_ALONE)
      const server = await installation.start()
      const load = startLoad(server.send, random, ledger)
      // Not a time: a busy machine answers later. From the first answers on, every moment has requests under way.
      await load.untilSent(random.between(20, 120))
      const track = ledger.find(({ id }) => id !== undefined)!
      const batch: Batch = { indexes: range(track.next, track.next + 50), isAcknowledged: false }
      track.next += 50
      track.batches.push(batch)
      const points = pointsOf(track, batch.indexes)
      const slow = await beginRequest(server, `/tracks/${track.id}/points`, JSON.stringify({ points }))

      const startedAtMs = performance.now()
      const stopped = server.stop('SIGTERM')
      await untilRefused(server)
      const status = await slow.complete()
      batch.isAcknowledged = status === 204
      const exit = await stopped
      const stoppedAfterMs = performance.now() - startedAtMs
      await load.ended
      const restarted = await installation.start()

      assert.deepEqual([status, exit], [204, 0])
      assert(stoppedAfterMs < STOPS_WITHIN_MS, `it took ${stoppedAfterMs} ms`)
      assert.deepEqual(errorsLogged(server), [])
      await checkAfterCrash(restarted, installation, { recent: ledger, ledger, random })
      t.diagnostic(`${load.requests()} requests, ${pointCount(ledger)} points, stopped after ${stoppedAfterMs | 0} ms`)
    })

    // Takes as long as the server's timeout, and does not depend on the database.
    const reason = database !== databases[0] && 'tested once'
    test('does not wait forever for a stalled client', { skip: reason }, async (t) => {
      const installation = await openInstallation(t, database.prepare, TRACKS_ALONE)
      const server = await installation.start()
      const { id } = await answered<{ id: string }>(201, server.send('POST', '/tracks', { device_track_id: 'stalled' }))
      await beginRequest(server, `/tracks/${id}/points`, JSON.stringify({ points: makePoints(50) }))

      const startedAtMs = performance.now()
      const exit = await server.stop('SIGTERM')

      assert.equal(exit, 0)
      assert(performance.now() - startedAtMs < STOPS_WITHIN_MS)
    })
  })
}

/** Sends the head and half of the body of a request, and waits until the server has accepted it. */
async function beginRequest(server: RunningInstallation, path: string, body: string) {
  const bytes = Buffer.from(body)
  const request = httpRequest(server.url + path, {
    method: 'POST',
    agent: false,
    headers: {
      'X-API-Key': server.token,
      'Content-Type': 'application/json',
      'Content-Length': bytes.length,
      // The response to it shows that the request has arrived.
      Expect: '100-continue',
    },
  })
  const response = once(request, 'response') as Promise<[IncomingMessage]>
  response.catch(() => {})
  request.flushHeaders()
  await once(request, 'continue')
  request.write(bytes.subarray(0, bytes.length / 2))
  return {
    async complete(): Promise<number> {
      request.end(bytes.subarray(bytes.length / 2))
      const [{ statusCode }] = await response
      return statusCode!
    },
  }
}

/** Waits until new connections are refused, which starts with the signal. */
async function untilRefused({ url }: RunningInstallation): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}/healthz`, { headers: { Connection: 'close' } }).catch(() => undefined)
    if (answer === undefined) return
    await wait(10)
  }
}
