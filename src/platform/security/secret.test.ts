import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { readSecret } from './secret.ts'

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'secret-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

test('a secret is created once, readable by its owner only, and found again', (t) => {
  const folder = makeFolder(t)

  const made = readSecret('', folder)
  const found = readSecret('', folder)

  assert.deepEqual(found, made)
  assert.ok(made.length >= 32)
  assert.equal(statSync(join(folder, 'secret')).mode & 0o777, 0o600)
})

test('a given secret is used, and no file is created', (t) => {
  const folder = makeFolder(t)
  const given = 'x'.repeat(32)

  assert.equal(readSecret(given, folder).toString(), given)

  assert.throws(() => readFileSync(join(folder, 'secret')), { code: 'ENOENT' })
})

test('a file that lost its secret is refused', (t) => {
  const folder = makeFolder(t)

  for (const content of ['', '\n', 'short']) {
    writeFileSync(join(folder, 'secret'), content)

    assert.throws(() => readSecret('', folder), /holds no secret/)
  }
})
