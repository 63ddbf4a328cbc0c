import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { databases } from '../support/databases.ts'
import { startPostgresCluster } from '../support/postgres-cluster.ts'
import { checkAfterCrash, pointCount } from './check-tracks.ts'
import { openInstallation, type RunningInstallation, TRACKS_ALONE } from './installation.ts'
import { startLoad } from './load.ts'
import type { Ledger } from './recorded-track.ts'
import { seededRandom } from './seeded-random.ts'

const postgres = databases.find(({ name }) => name === 'PostgreSQL')

/** A client without a response for longer than this considers the service to hang. */
const ANSWERS_WITHIN_MS = 6_000
const RECOVERS_WITHIN_MS = 20_000

/** Ends every other connection to the database, as an administrator may. */
const END_CONNECTIONS = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`

describe('a PostgreSQL outage while phones send', { skip: postgres === undefined && 'left out' }, () => {
  test('causes 503 while it lasts, loses nothing acknowledged, and needs no restart', async (t) => {
    const random = seededRandom(t)
    const ledger: Ledger = []
    const cluster = await startPostgresCluster({ keepsCommits: true })
    const installation = await openInstallation(t, async () => ({ url: cluster.url, dataDir: '' }), TRACKS_ALONE)
    t.after(() => cluster.stop())
    const server = await installation.start()
    const load = startLoad(server.send, random, ledger, { acceptsUnavailable: true, restMs: 10 })
    await load.untilSent(random.between(20, 60))

    let ended = 0
    for (let times = 0; times < 8; times++) {
      await wait(random.between(5, 40))
      ended += (await installation.query(END_CONNECTIONS)).length
    }
    // INT shuts down in order, QUIT stops at once, as in a crash.
    for (const signal of ['INT', 'QUIT'] as const) {
      const { requests, unavailable } = { requests: load.requests(), unavailable: load.unavailable() }
      await load.untilSent(requests + random.between(10, 40))
      await cluster.interrupt(signal)
      const slowestMs = await checkUnavailable(server, ledger)
      await cluster.resume()
      const recoveredMs = await untilReady(server)
      assert(slowestMs < ANSWERS_WITHIN_MS, `an answer took ${slowestMs} ms`)
      assert(load.unavailable() > unavailable)
      t.diagnostic(`${signal}: slowest refusal ${slowestMs | 0} ms, ready again after ${recoveredMs | 0} ms`)
    }
    await load.untilSent(load.requests() + 20)
    load.stop()
    await load.ended

    assert(ended > 0)
    await checkAfterCrash(server, installation, { recent: ledger, ledger, random })
    t.diagnostic(
      `${ended} connections ended, ${load.requests()} requests, ${load.unavailable()} refused, ${pointCount(ledger)} points`,
    )
  })
})

/**
 * Checks that every response reports the missing database soon, and that only the
 * process is healthy. Returns the slowest time.
 */
async function checkUnavailable({ url, send }: RunningInstallation, ledger: Ledger): Promise<number> {
  const { id } = ledger.find((track) => track.id !== undefined)!
  const startedAtMs = performance.now()
  const answers = await Promise.all([
    send('POST', '/tracks', { device_track_id: 'refused' }),
    send('POST', `/tracks/${id}/points`, {
      points: [{ latitude: 1, longitude: 1, timestamp: '2030-01-01T00:00:00Z' }],
    }),
    send('GET', `/tracks/${id}`),
    send('GET', `/tracks/${id}/points`),
  ])
  const ready = await fetch(`${url}/readyz`)
  const slowestMs = performance.now() - startedAtMs
  for (const answer of answers) {
    assert.equal(answer?.status, 503)
    assert.deepEqual((answer.json as { code: string }).code, 'UNAVAILABLE')
    assert.match((answer.json as { detail: string }).detail, /database cannot be reached/)
  }
  assert.equal(ready.status, 503)
  assert.match(await ready.text(), /database cannot be reached/)
  assert.equal((await fetch(`${url}/healthz`)).status, 200)
  return slowestMs
}

async function untilReady({ url }: RunningInstallation): Promise<number> {
  const startedAtMs = performance.now()
  while (performance.now() - startedAtMs < RECOVERS_WITHIN_MS) {
    if ((await fetch(`${url}/readyz`)).ok) return performance.now() - startedAtMs
    await wait(50)
  }
  throw new Error('The process did not reconnect to its database')
}
