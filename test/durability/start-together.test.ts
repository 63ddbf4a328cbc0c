import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { databases } from '../support/databases.ts'
import { PROGRAM } from '../support/run-program.ts'
import { answered, apiClient } from './api-client.ts'
import { type Installation, openInstallation, TRACKS_ALONE } from './installation.ts'
import { roundCount, seededRandom } from './seeded-random.ts'

const MAIN = fileURLToPath(new URL(`../../${PROGRAM}`, import.meta.url))
const FROM_THE_FUTURE = '9999-from-the-future'

for (const database of databases) {
  describe(`A first start on ${database.name}`, () => {
    test('of two processes at once creates one installation that both serve', async (t) => {
      for (let round = 0; round < roundCount(1); round++) {
        const installation = await openInstallation(t, database.open, TRACKS_ALONE)

        const [one, other] = await Promise.all([installation.start(), installation.start()])

        const events = (await installation.command('events', 'list')).answer as { id: string; name: string }[]
        assert.deepEqual(
          events.map(({ name }) => name),
          ['Default'],
        )
        const { token } = (await installation.command('events', 'token', events[0].id)).answer as { token: string }
        // A start prints the token only if it created the event.
        assert([one.token, other.token].includes(token))
        const { id } = await answered<{ id: string }>(
          201,
          apiClient(one.url, token)('POST', '/tracks', { device_track_id: 'made-by-one' }),
        )
        await answered(200, apiClient(other.url, token)('GET', `/tracks/${id}`))
        await Promise.all([one.stop('SIGKILL'), other.stop('SIGKILL')])
      }
    })

    test('that is killed at any moment does not prevent the next start; a newer database is refused, unchanged', async (t) => {
      const random = seededRandom(t)
      const installation = await openInstallation(t, database.open, TRACKS_ALONE)

      for (let round = 0; round < roundCount(2); round++) await startAndKill(installation, random.between(200, 900))
      const server = await installation.start()

      const events = (await installation.command('events', 'list')).answer as { id: string }[]
      assert.equal(events.length, 1)
      const { token } = (await installation.command('events', 'token', events[0].id)).answer as { token: string }
      await answered(201, apiClient(server.url, token)('POST', '/tracks', { device_track_id: 'first' }))
      await server.stop('SIGKILL')
      await refusesNewerDatabase(installation, token)
    })
  })
}

/** Checks that a database newer than the program, with one track, ends a start, and is used when it is as before. */
async function refusesNewerDatabase(installation: Installation, token: string): Promise<void> {
  await installation.query(`insert into migrations (name, applied_at_ms) values ('${FROM_THE_FUTURE}', 0)`)
  const refusal = await installation.start().catch((error: Error) => error)
  await installation.query(`delete from migrations where name = '${FROM_THE_FUTURE}'`)
  const server = await installation.start()

  assert(refusal instanceof Error)
  assert.match(
    refusal.message,
    /could not start: The database was upgraded by a newer version .+ to 9999-from-the-future/,
  )
  const listing = apiClient(server.url, token)('GET', '/tracks')
  assert.equal((await answered<{ tracks: unknown[] }>(200, listing)).tracks.length, 1)
}

async function startAndKill({ settings }: Installation, afterMs: number): Promise<void> {
  const env = { PATH: process.env.PATH, PORT: '0', ...settings }
  const child = spawn(process.execPath, [MAIN], { env, stdio: 'ignore' })
  const ended = once(child, 'exit')
  await wait(afterMs)
  child.kill('SIGKILL')
  await ended
}
