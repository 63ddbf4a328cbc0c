import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmodSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { checkFolder } from '#platform/doctor/check-folder.ts'
import { checkMachine } from '#platform/doctor/check-machine.ts'
import { checkSettings } from '#platform/doctor/check-settings.ts'
import { type Finding, runChecks, worstOf } from '#platform/doctor/finding.ts'
import { checkPublicationsSettings } from '../../src/publications/model/config.ts'
import { checkRecognition } from '../../src/publications/recognition/text-recognizer.ts'
import { makeFolder, requireRemedies, wrong } from '../support/doctor-findings.ts'
import { ADMIN, runProgram } from '../support/run-program.ts'

describe('the doctor looks at settings', () => {
  const sound = {
    host: '127.0.0.1',
    port: 8080,
    baseUrl: 'https://tracks.example.org',
    trustedProxies: ['10.0.0.1'],
    webhookAllowedNetworks: [],
    secretKey: randomBytes(32).toString('base64'),
    databaseUrl: '',
  }
  const cases: [Partial<typeof sound>, string[]][] = [
    [{}, []],
    [{ baseUrl: '', trustedProxies: [] }, []],
    [{ baseUrl: '', host: '0.0.0.0' }, ['warning BASE_URL']],
    [{ baseUrl: 'http://tracks.example.org' }, ['warning BASE_URL']],
    [{ trustedProxies: [] }, ['warning TRUSTED_PROXIES']],
    [{ trustedProxies: ['0.0.0.0/0'] }, ['error TRUSTED_PROXIES']],
    [{ secretKey: 'change-me-change-me-change-me-change-me' }, ['error SECRET_KEY']],
    [{ secretKey: 'a'.repeat(40) }, ['error SECRET_KEY']],
    [{ databaseUrl: 'postgres://me:me@db.example.org/x' }, ['warning DATABASE_URL', 'warning DATABASE_URL']],
    [{ databaseUrl: 'postgres://me:U7x-93kd@db.example.org/x?sslmode=verify-full' }, []],
    [{ databaseUrl: 'postgres://me:U7x-93kd@%2Frun%2Fpostgresql/x' }, []],
    [{ webhookAllowedNetworks: ['0.0.0.0/0'] as never }, ['warning WEBHOOK_ALLOWED_NETWORKS']],
  ]
  for (const [changes, expected] of cases) {
    test(`and finds ${expected.join() || 'nothing'} with ${JSON.stringify(changes)}`, () => {
      const findings = checkSettings({ ...sound, ...changes })

      assert.deepEqual(wrong(findings), expected)
      requireRemedies(findings)
      assert.equal(JSON.stringify(findings).includes('U7x-93kd'), false)
    })
  }

  test('and finds addresses of files that contradict that of the dashboard', () => {
    const base = 'https://tracks.example.org'
    const check = (cdnUrl: string) => wrong(checkPublicationsSettings({ publicUrl: '', cdnUrl, rateLimit: 100 }, base))

    assert.deepEqual(check(base), ['warning CDN_URL'])
    assert.deepEqual(check('http://images.example.org'), ['error CDN_URL'])
    assert.deepEqual(check('https://images.example.org'), [])
  })

  test('and finds languages of scans whose data are not installed', () => {
    const check = (isOn: boolean, codes: string[]) => [checkRecognition(isOn, codes)]

    assert.deepEqual(wrong(check(true, ['eng', 'fra'])), [])
    assert.deepEqual(wrong(check(false, ['xyz'])), [])
    const [some, none] = [check(true, ['eng', 'xyz']), check(true, ['xyz'])]
    assert.deepEqual([wrong(some), wrong(none)], [['warning OCR_LANGUAGES'], ['warning OCR_LANGUAGES']])
    requireRemedies([...some, ...none])
    assert.notEqual(some[0].found, none[0].found)
  })
})

describe('the doctor looks at the machine', () => {
  const sound = { cores: 4, memoryBytes: 4e9, threads: 4, maxOpenFiles: 65_536, node: 'v26.0.0' }

  test('and finds too few threads, files and bytes of memory', () => {
    assert.deepEqual(wrong(checkMachine(sound, 5000)), [])
    const findings = checkMachine({ ...sound, cores: 16, memoryBytes: 5e8, maxOpenFiles: 1024 }, 5000)
    assert.deepEqual(wrong(findings), ['warning memory', 'warning thread pool', 'warning open files'])
    requireRemedies(findings)
  })

  test('and at a folder, of which it leaves nothing', async (t) => {
    const folder = makeFolder(t)

    const findings = await checkFolder(folder, true)

    assert.ok(findings.some(({ check, level }) => check === 'DATA_DIR' && level === 'ok'))
    assert.ok(findings.some(({ check }) => check === 'fsync'))
    assert.deepEqual(readdirSync(folder), [])
  })

  test('and finds a folder that cannot be written', async (t) => {
    const folder = makeFolder(t)
    writeFileSync(join(folder, 'file'), '')

    const findings = await checkFolder(join(folder, 'file', 'data'), true)

    assert.deepEqual(wrong(findings), ['error DATA_DIR'])
  })

  test('and finds secrets that others can read', async (t) => {
    const folder = makeFolder(t)
    writeFileSync(join(folder, 'secret'), 'x'.repeat(43), { mode: 0o644 })
    chmodSync(folder, 0o755)

    assert.ok(wrong(await checkFolder(folder, true)).includes('warning permissions'))
  })
})

test('a check that fails or hangs is a finding', async () => {
  const findings = await runChecks(
    [
      { part: 'one', run: () => Promise.reject(new Error('broken')) },
      { part: 'two', run: () => new Promise(() => {}) },
    ],
    20,
  )

  assert.deepEqual(wrong(findings), ['error check', 'error time'])
  assert.equal(worstOf(findings), 'error')
})

describe('admin doctor', () => {
  test('prints findings with remedies, changes nothing, and exits with 1 on an error', async (t) => {
    const folder = makeFolder(t)
    const settings = { DATA_DIR: folder, PORT: '1' }

    const healthy = await runProgram(ADMIN, settings, ['doctor', '--json'])
    const { status, findings } = JSON.parse(healthy.stdout) as { status: string; findings: Finding[] }

    assert.deepEqual([healthy.exitCode, healthy.stderr], [0, ''], healthy.stdout)
    assert.equal(status, 'warning')
    assert.deepEqual([...new Set(findings.map(({ part }) => part))].sort(), [
      'dashboard',
      'database',
      'disk',
      'files',
      'machine',
      'points',
      'publications',
      'server',
      'settings',
      'tracks',
    ])
    requireRemedies(findings)
    assert.equal(readdirSync(folder).includes('secret'), false)
    assert.equal(
      readdirSync(folder).some((name) => name.endsWith('.sqlite')),
      false,
    )
    const broken = await runProgram(ADMIN, { ...settings, SECRET_KEY: 'x'.repeat(32) }, ['doctor'])
    assert.equal(broken.exitCode, 1)
    assert.match(broken.stdout, /error +SECRET_KEY +It can be guessed.*\n +→ Replace it/)
    assert.match(broken.stdout, /\n1 error, \d+ warnings?, \d+ ok\n$/)
    assert.equal(broken.stdout.includes('x'.repeat(32)), false)
  })

  test('says what is wrong with settings that the server does not start with', async (t) => {
    const settings = { DATA_DIR: makeFolder(t), PORT: 'http', SECRET_KEY: 'short' }

    const { exitCode, stdout } = await runProgram(ADMIN, settings, ['doctor', '--json'])

    assert.equal(exitCode, 1)
    const { findings } = JSON.parse(stdout) as { findings: Finding[] }
    assert.deepEqual(wrong(findings).sort(), ['error PORT', 'error SECRET_KEY'])
    assert.equal(stdout.includes('short'), false)
  })
})
