import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { databases } from '../support/databases.ts'
import { sender, startProgram } from './start-program.ts'

type Token = { id: string; token: string; permissions: string[]; user_id: string | null; name: string | null }
type Listed = Omit<Token, 'token'> & { is_first: boolean; expires_at: string | null; last_used_at: string | null }
type Key = { id: string; api_key: string; permissions: string[]; name: string | null }

for (const database of databases) {
  describe(`the admin command for tokens and keys on ${database.name}`, async () => {
    const { installation, process, tracks } = await startProgram({ after }, database)

    test('events tokens creates, lists and revokes, and a running server follows at once', async () => {
      const [{ id: event }] = (await installation.command('events', 'list')).answer as { id: string }[]
      const tokens = async (...words: string[]) => (await installation.command('events', 'tokens', ...words)).answer
      const status = async ({ token }: Token, method: string, path: string) =>
        (await sender(process.url, token)(method, path)).status
      const track = await tracks.create({ user_id: 'anna@example.org' })

      const plain = (await tokens('create', event)) as Token
      const managing = (await tokens('create', event, '--permissions', 'manage', '--name', 'Clean-up')) as Token
      const anna = (await tokens('create', event, '--user', 'anna@example.org', '--name', 'Anna')) as Token
      const bob = (await tokens('create', event, '--user', 'bob', '--permissions', 'read, record')) as Token
      const brief = (await tokens('create', event, '--keep', '1s')) as Token

      assert.deepEqual(Object.keys(plain), ['id', 'token', 'permissions', 'user_id', 'name', 'expires_at'])
      assert.deepEqual([plain.permissions, plain.user_id, plain.name], [['record', 'read'], null, null])
      assert.deepEqual([managing.permissions, managing.name], [['manage'], 'Clean-up'])
      assert.deepEqual([anna.permissions, anna.user_id], [['record', 'read'], 'anna@example.org'])
      assert.deepEqual([bob.permissions, bob.user_id], [['record', 'read'], 'bob'])
      assert.deepEqual([await status(plain, 'GET', '/tracks'), await status(managing, 'GET', '/tracks')], [200, 403])
      assert.deepEqual(
        [await status(anna, 'GET', `/tracks/${track}`), await status(bob, 'GET', `/tracks/${track}`)],
        [200, 404],
      )
      await setTimeout(1000)
      assert.equal(await status(brief, 'GET', '/tracks'), 401)

      const listed = (await tokens('list', event)) as Listed[]
      assert.deepEqual(
        new Set(listed.map(({ id }) => id).slice(0, 4)),
        new Set([plain, managing, anna, bob].map(({ id }) => id)),
      )
      assert.deepEqual([listed.length, listed.at(-1)!.is_first], [5, true])
      assert.ok(!JSON.stringify(listed).includes('trk_'))
      await installation.command('events', 'rotate', event)
      assert.deepEqual([await status(plain, 'GET', '/tracks'), await status(anna, 'GET', '/tracks')], [200, 200])
      assert.deepEqual(await tokens('revoke', event, anna.id), { id: anna.id })
      assert.deepEqual([await status(anna, 'GET', '/tracks'), await status(bob, 'GET', '/tracks')], [401, 200])
      assert.equal(await status(managing, 'DELETE', `/tracks/${track}`), 204)
    })

    test('workspaces keys creates, lists and revokes', async () => {
      const [{ id: workspace }] = (await installation.command('workspaces', 'list')).answer as { id: string }[]
      const keys = async (...words: string[]) => (await installation.command('workspaces', 'keys', ...words)).answer
      const status = async ({ api_key }: Key, method: string, body?: unknown) =>
        (
          await sender(process.url, api_key)(
            method,
            method === 'GET' ? '/publications' : '/publications/upload-url',
            body,
          )
        ).status

      const whole = (await keys('create', workspace)) as Key
      const reading = (await keys('create', workspace, '--permissions', 'read', '--name', 'Website')) as Key

      assert.deepEqual(Object.keys(whole), ['id', 'api_key', 'permissions', 'name'])
      assert.deepEqual(
        [whole.permissions, reading.permissions, reading.name],
        [['publish', 'read'], ['read'], 'Website'],
      )
      assert.deepEqual([await status(reading, 'GET'), await status(reading, 'POST', { type: 'pdf' })], [200, 403])
      assert.deepEqual([await status(whole, 'GET'), await status(whole, 'POST', { type: 'pdf' })], [200, 200])
      const listed = (await keys('list', workspace)) as (Omit<Key, 'api_key'> & { is_first: boolean })[]
      assert.equal(listed.find(({ id }) => id === reading.id)!.name, 'Website')
      assert.deepEqual([listed.length, listed.filter(({ is_first }) => is_first).length], [3, 1])
      assert.deepEqual(await keys('revoke', workspace, reading.id), { id: reading.id })
      assert.deepEqual([await status(reading, 'GET'), await status(whole, 'GET')], [401, 200])
      const limited = await installation.command('workspaces', 'create', 'Small', '--max-publications', '1')
      assert.equal(limited.exitCode, 0, limited.stderr)
    })

    test('mistakes are named on standard error with exit code 1', async () => {
      const [{ id: event }] = (await installation.command('events', 'list')).answer as { id: string }[]
      const [{ id: workspace }] = (await installation.command('workspaces', 'list')).answer as { id: string }[]
      const mistakes: [words: string[], message: RegExp][] = [
        [['events', 'tokens'], /events tokens create/],
        [['events', 'tokens', 'create'], /Usage: admin events tokens create/],
        [['events', 'tokens', 'create', event, 'more'], /Usage: admin events tokens create/],
        [['events', 'tokens', 'create', event, '--permissions', 'record,write'], /"write" is not a permission/],
        [['events', 'tokens', 'create', event, '--permissions', ''], /is not a permission/],
        [
          ['events', 'tokens', 'create', event, '--user', 'a', '--permissions', 'read,manage'],
          /cannot have the permission manage/,
        ],
        [['events', 'tokens', 'create', event, '--user', ''], /must not be empty/],
        [['events', 'tokens', 'create', event, '--user', 'a'.repeat(256)], /at most 255/],
        [['events', 'tokens', 'create', event, '--keep', 'long'], /not a length of time/],
        [['events', 'tokens', 'create', workspace], /Event not found/],
        [['events', 'tokens', 'list', workspace], /Event not found/],
        [['events', 'tokens', 'revoke', event, 'unknown'], /App token not found/],
        [['events', 'create', 'Other', '--user', 'a'], /Usage: admin events create/],
        [['workspaces', 'keys', 'create', workspace, '--permissions', 'manage'], /"manage" is not a permission/],
        [['workspaces', 'keys', 'create', event], /Workspace not found/],
        [['workspaces', 'keys', 'list', event], /Workspace not found/],
        [['workspaces', 'keys', 'revoke', workspace, 'unknown'], /API key not found/],
      ]
      for (const [words, message] of mistakes) {
        const { exitCode, answer, stderr } = await installation.command(...words)

        assert.deepEqual([exitCode, answer], [1, undefined], words.join(' '))
        assert.match(stderr, message)
      }
    })
  })
}
