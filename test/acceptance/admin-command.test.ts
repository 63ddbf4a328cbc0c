import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { openInstallation } from '../durability/installation.ts'
import { databases } from '../support/databases.ts'
import { makePoints } from '../support/make-points.ts'
import { ADMIN, runProgram } from '../support/run-program.ts'
import { trackRequests } from '../support/track-requests.ts'
import { sender, startProgram } from './start-program.ts'

type Event = { id: string; name: string; token: string }

describe('the admin command on an empty folder', () => {
  for (const words of [['--help'], ['events', '--help'], ['secret', 'list'], []]) {
    test(`makes nothing there for "${words.join(' ')}", so that a backup can still be restored`, async (t) => {
      const dataDir = mkdtempSync(join(tmpdir(), 'admin-'))
      t.after(() => rmSync(dataDir, { recursive: true }))

      const { stdout, stderr } = await runProgram(ADMIN, { DATA_DIR: dataDir }, words)

      assert.match(stdout + stderr, /^ {2}backup restore <folder>.*\n {6}Restores a backup/m)
      assert.deepEqual(readdirSync(dataDir), [])
    })
  }

  test('lists its commands where no file can be written', async () => {
    const nowhere = '/dev/null/nowhere'

    const settings = { DATA_DIR: nowhere, TMPDIR: nowhere, ADMIN_COMMAND: 'docker exec box node admin.js' }
    const help = await runProgram(ADMIN, settings, ['--help'])

    assert.deepEqual([help.exitCode, help.stderr], [0, ''])
    assert.match(help.stdout, /^Usage: docker exec box node admin\.js <command>\n/)
    for (const command of ['events create', 'workspaces create', 'operators list', 'audit verify', 'secrets rotate'])
      assert.match(help.stdout, new RegExp(`^ {2}${command}`, 'm'))
  })
})

for (const database of databases) {
  describe(`the admin command on ${database.name}`, async () => {
    const { installation: running, process, tracks } = await startProgram({ after }, database)

    test('creates, lists, shows and deletes events in an empty installation', async (t) => {
      const installation = await openInstallation(t, database.open)

      const created = await installation.command('events', 'create', 'Trail 2026')
      const event = created.answer as Event
      const listed = await installation.command('events', 'list')
      const shown = await installation.command('events', 'token', event.id)
      const deleted = await installation.command('events', 'delete', event.id)
      const empty = await installation.command('events', 'list')

      assert.deepEqual(Object.keys(event), ['id', 'name', 'token'])
      assert.equal(event.name, 'Trail 2026')
      assert.match(event.token, /^trk_[\w-]{43}$/)
      const [entry, ...others] = listed.answer as { id: string; name: string; created_at: string }[]
      assert.deepEqual([entry.id, entry.name, others], [event.id, 'Trail 2026', []])
      assert.equal(new Date(entry.created_at).toISOString(), entry.created_at)
      assert.equal(JSON.stringify(listed.answer).includes('trk_'), false)
      assert.deepEqual(shown.answer, event)
      assert.deepEqual(deleted.answer, { id: event.id })
      assert.deepEqual(empty.answer, [])
      const audit = await installation.admin('audit', 'list')
      const verified = await installation.command('audit', 'verify')
      const records = audit.answer as { action: string; outcome: string; actor: { name: string }; subject: unknown }[]
      assert.deepEqual(
        records.map(({ action, outcome }) => `${action} ${outcome}`),
        ['events delete succeeded', 'events token succeeded', 'events create succeeded'],
      )
      assert.deepEqual(records[0].subject, { kind: 'event', id: event.id, name: 'Trail 2026' })
      assert.equal(records[0].actor.name, userInfo().username)
      assert.equal((verified.answer as { fault: unknown }).fault, null)
      for (const { exitCode, stderr } of [created, listed, shown, deleted, empty, audit, verified]) {
        assert.deepEqual([exitCode, stderr], [0, ''])
      }
    })

    test('takes effect on a running server at once', async () => {
      const status = async ({ token }: Event) => (await sender(process.url, token)('GET', '/tracks')).status

      const event = (await running.command('events', 'create', 'Beside')).answer as Event
      assert.equal(await status(event), 200)
      const rotated = (await running.command('events', 'rotate', event.id)).answer as Event
      assert.deepEqual([await status(event), await status(rotated)], [401, 200])
      const kept = (await running.command('events', 'rotate', event.id, '--keep', '24h')).answer as Event
      assert.deepEqual([await status(event), await status(rotated), await status(kept)], [401, 200, 200])
      const last = (await running.command('events', 'rotate', event.id, '--keep', '1s')).answer as Event
      await setTimeout(1100)
      assert.deepEqual([await status(rotated), await status(kept), await status(last)], [401, 401, 200])
      await running.command('events', 'delete', event.id)

      assert.equal(await status(last), 401)
      for (const { id, name, token } of [rotated, kept, last]) {
        assert.deepEqual([id, name], [event.id, 'Beside'])
        assert.match(token, /^trk_[\w-]{43}$/)
      }
    })

    test('deletes an event with its tracks and no others', async () => {
      const event = (await running.command('events', 'create', 'Gone')).answer as Event
      const kept = await tracks.sync({ points: makePoints(5) })
      await trackRequests(sender(process.url, event.token)).sync({ points: makePoints(5) })

      await running.command('events', 'delete', event.id)

      assert.equal((await tracks.points(kept)).count, 5)
      const stats = (await running.command('storage', 'stats')).answer as { tracks: number; points: number }
      assert.deepEqual([stats.tracks, stats.points], [1, 5])
      const verified = (await running.command('storage', 'verify')).answer as { broken: unknown[] }
      assert.deepEqual(verified.broken, [])
    })

    test('reports mistakes on standard error with exit code 1, and prints nothing on standard output', async () => {
      const unknown = '00000000-0000-4000-8000-000000000000'
      const mistakes: [words: string[], says: RegExp][] = [
        [[], /events create/],
        [['events', 'paint'], /^There is no command "events paint"\..*events create/s],
        [['paint'], /^There is no command "paint"\..*workspaces create/s],
        [['events', 'create'], /Usage: admin events create <name>/],
        [['events', 'create', 'Trail', '2026'], /Usage: admin events create <name>/],
        [['events', 'creates', 'Trail'], /events create/],
        [['events', 'create', 'Trail', '--keep', '24h'], /Usage: admin events create <name>/],
        [['events', 'rotate', unknown], /Event not found/],
        [['events', 'rotate', unknown, '--keep', 'soon'], /not a length of time/],
        [['events', 'delete', unknown], /Event not found/],
        [['events', 'list', '--loud'], /--loud/],
      ]

      for (const [words, says] of mistakes) {
        const { exitCode, answer, stderr } = await running.command(...words)

        assert.deepEqual([exitCode, answer], [1, undefined], words.join(' '))
        assert.match(stderr, says)
        assert.doesNotMatch(stderr, /\n +at /)
      }
    })
  })
}
