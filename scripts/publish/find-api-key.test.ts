import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { ADMIN } from '../../test/support/run-program.ts'
import { findApiKey } from './find-api-key.ts'

const SERVER = 'http://localhost:8080'

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'find-key-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

test('finds the key of a single workspace, and asks to choose among several', async (t) => {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const env = { DATA_DIR: makeFolder(t), PATH, NODE_COMPILE_CACHE }
  const create = (name: string) =>
    JSON.parse(execFileSync(process.execPath, [ADMIN, 'workspaces', 'create', name], { env, encoding: 'utf8' }))
  const made = create('Press')

  const found = await findApiKey(SERVER, env)
  create('Another')

  assert.equal(found, made.api_key)
  await assert.rejects(findApiKey(SERVER, env), /An API key is needed.*There are several workspaces:.*Press/s)
  await assert.rejects(findApiKey('https://press.example', env), /^PublishError: An API key is needed/)
})

test('creates no installation while looking for a key', async (t) => {
  const folder = makeFolder(t)

  await assert.rejects(findApiKey(SERVER, { DATA_DIR: folder }), /An API key is needed/)

  assert.deepEqual(readdirSync(folder), [])
})
