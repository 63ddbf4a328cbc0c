import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { platformConfig } from '../../config.ts'
import { ConfigError, readConfig } from './config.ts'
import { addSecret, isSameText, readSecrets, removeOldSecrets } from './secrets.ts'

const GIVEN = 'x'.repeat(32)
const OTHER = 'y'.repeat(32)

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'secret-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

const secretsIn = (dataDir: string, secretKey = '', secretKeyFallbacks: readonly string[] = []) =>
  readSecrets({ secretKey, secretKeyFallbacks, dataDir }).map(String)

test('a secret is created once, readable by its owner only, and found again', (t) => {
  const folder = makeFolder(t)

  const made = secretsIn(folder)
  const found = secretsIn(folder)

  assert.deepEqual(found, made)
  assert.ok(made[0]!.length >= 32)
  assert.equal(statSync(join(folder, 'secret')).mode & 0o777, 0o600)
})

test('a given secret is used, and no file is created', (t) => {
  const folder = makeFolder(t)

  assert.deepEqual(secretsIn(folder, GIVEN, [OTHER, GIVEN]), [GIVEN, OTHER])

  assert.throws(() => readFileSync(join(folder, 'secret')), { code: 'ENOENT' })
})

test('further secrets are accepted beside the one of the file', (t) => {
  const folder = makeFolder(t)
  const [own] = secretsIn(folder)

  assert.deepEqual(secretsIn(folder, '', [OTHER]), [own, OTHER])
  assert.deepEqual(secretsIn(folder, GIVEN, [own!]), [GIVEN, own])
})

test('a file that lost its secret is refused', (t) => {
  const folder = makeFolder(t)

  for (const content of ['', '\n', 'short', `${GIVEN}\nshort\n`]) {
    writeFileSync(join(folder, 'secret'), content)

    assert.throws(() => secretsIn(folder), /holds no secret/)
  }
})

test('a new secret becomes the first of the file, and retiring keeps it alone', (t) => {
  const folder = makeFolder(t)
  const [first] = secretsIn(folder)

  addSecret(folder)
  const added = secretsIn(folder)
  removeOldSecrets(folder)

  assert.deepEqual([added.length, added[1]], [2, first])
  assert.deepEqual(secretsIn(folder), added.slice(0, 1))
  assert.equal(statSync(join(folder, 'secret')).mode & 0o777, 0o600)
  assert.deepEqual(readdirSync(folder), ['secret'])
})

describe('the settings of secrets', () => {
  const read = (env: Record<string, string>) => readConfig({ platform: platformConfig }, env).platform
  const problem = (env: Record<string, string>): string => {
    try {
      read(env)
    } catch (error) {
      if (error instanceof ConfigError) return error.message
    }
    throw new Error('the settings were accepted')
  }

  test('are read from files, without the line break at the end', (t) => {
    const folder = makeFolder(t)
    const file = (name: string, content: string) => {
      writeFileSync(join(folder, name), content)
      return join(folder, name)
    }

    const { secretKey, secretKeyFallbacks, databaseUrl } = read({
      SECRET_KEY_FILE: file('key', `${GIVEN}\n`),
      SECRET_KEY_FALLBACKS_FILE: file('fallbacks', `${OTHER}\r\n${'z'.repeat(32)}\n`),
      DATABASE_URL_FILE: file('url', 'postgres://trackpress:word@db/trackpress\n'),
    })

    assert.equal(secretKey, GIVEN)
    assert.deepEqual(secretKeyFallbacks, [OTHER, 'z'.repeat(32)])
    assert.equal(databaseUrl, 'postgres://trackpress:word@db/trackpress')
  })

  test('are refused with the variable and the file that is wrong, and without the secret', (t) => {
    const folder = makeFolder(t)
    const empty = join(folder, 'empty')
    const short = join(folder, 'short')
    const missing = join(folder, 'missing')
    writeFileSync(empty, '\n')
    writeFileSync(short, 'hunter2\n')

    assert.match(problem({ SECRET_KEY: GIVEN, SECRET_KEY_FILE: short }), /SECRET_KEY and SECRET_KEY_FILE are both set/)
    assert.match(problem({ SECRET_KEY_FILE: missing }), new RegExp(`SECRET_KEY_FILE names ${missing}, .*ENOENT`))
    assert.match(problem({ DATABASE_URL_FILE: folder }), new RegExp(`DATABASE_URL_FILE names ${folder}, .*EISDIR`))
    assert.match(problem({ SECRET_KEY_FILE: empty }), new RegExp(`SECRET_KEY_FILE names ${empty}, which is empty`))
    assert.match(problem({ SECRET_KEY_FILE: short }), /SECRET_KEY_FILE must have at least 32 characters/)
    assert.match(problem({ SECRET_KEY: `${GIVEN}\n${OTHER}` }), /SECRET_KEY must be one line/)
    assert.match(problem({ SECRET_KEY_FALLBACKS: `${GIVEN}\nhunter2` }), /SECRET_KEY_FALLBACKS must have .* each line/)
    for (const text of [problem({ SECRET_KEY_FILE: short }), problem({ SECRET_KEY_FALLBACKS: 'hunter2' })])
      assert.ok(!text.includes('hunter2'))
  })
})

test('texts are the same only if all their bytes are, whatever characters they have', () => {
  assert.ok(isSameText('secret', 'secret'))
  assert.ok(isSameText('', ''))
  for (const given of ['secreT', 'secre', 'secrets', '', 'secreé', 'ééé', '\ud800ecret', '秘密秘密秘密']) {
    assert.equal(isSameText(given, 'secret'), false, given)
  }
})
