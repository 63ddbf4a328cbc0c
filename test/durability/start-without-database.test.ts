import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { databases } from '../support/databases.ts'
import { freePort } from '../support/free-port.ts'
import { startPostgresCluster } from '../support/postgres-cluster.ts'
import { PROGRAM, runProgram } from '../support/run-program.ts'
import { answered } from './api-client.ts'
import { openInstallation, TRACKS_ALONE } from './installation.ts'

const postgres = databases.find(({ name }) => name === 'PostgreSQL')

type Problem = { status: number; code: string; detail: string }

describe('a start while PostgreSQL is away', { skip: postgres === undefined && 'left out' }, () => {
  test('answers 503 with the reason if the database was reached before, and goes on when it is back', async (t) => {
    const cluster = await startPostgresCluster({ keepsCommits: true })
    const installation = await openInstallation(t, async () => ({ url: cluster.url, dataDir: '' }), {
      ...TRACKS_ALONE,
      PORT: String(await freePort()),
    })
    t.after(() => cluster.stop())
    const before = await installation.start()
    const { id } = await answered<{ id: string }>(201, before.send('POST', '/tracks', { device_track_id: 'kept' }))
    await before.stop()
    await cluster.interrupt('INT')

    const starting = installation.start()
    await untilAnswered(`${before.url}/healthz`)
    const health = await fetch(`${before.url}/healthz`)
    const ready = await fetch(`${before.url}/readyz`)
    const refused = await before.send('GET', `/tracks/${id}`)
    await cluster.resume()
    const server = await starting

    assert.equal(health.status, 200)
    assert.equal(ready.status, 503)
    assert.deepEqual(await ready.json(), {
      status: 'unavailable',
      checks: { database: 'The database cannot be reached.' },
    })
    const { status, code, detail } = refused!.json as Problem
    assert.deepEqual([status, code, detail], [503, 'UNAVAILABLE', 'The database cannot be reached.'])
    assert.equal(refused!.headers.get('retry-after'), '2')
    assert.equal(server.url, before.url)
    await answered(200, server.send('GET', `/tracks/${id}`))
  })

  test('ends with a message at the first start, when the settings may be wrong', async (t) => {
    const { url } = await postgres!.open(t)
    const installation = await openInstallation(t, async () => ({ url, dataDir: '' }), TRACKS_ALONE)
    const wrong = {
      'cannot be reached. (connect ECONNREFUSED 127.0.0.1:1)': Object.assign(new URL(url), { port: '1' }).href,
      'refuses the connection. (database "no_such_database" does not exist)': Object.assign(new URL(url), {
        pathname: '/no_such_database',
      }).href,
    }

    for (const [message, databaseUrl] of Object.entries(wrong)) {
      const { exitCode, stderr } = await runProgram(PROGRAM, {
        ...installation.settings,
        PORT: '0',
        DATABASE_URL: databaseUrl,
      })
      assert.equal(exitCode, 1)
      assert.ok(stderr.includes(`Trackpress could not start: The database ${message}`), stderr)
    }
  })
})

async function untilAnswered(url: string): Promise<void> {
  while ((await fetch(url).catch(() => undefined)) === undefined) await wait(50)
}
