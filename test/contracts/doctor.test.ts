import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { Client } from 'pg'
import { checkBlobs } from '#platform/doctor/check-blobs.ts'
import { checkFolder } from '#platform/doctor/check-folder.ts'
import { checkMachine } from '#platform/doctor/check-machine.ts'
import { checkPostgres } from '#platform/doctor/check-postgres.ts'
import { checkServer } from '#platform/doctor/check-server.ts'
import { checkSettings } from '#platform/doctor/check-settings.ts'
import { checkSqlite } from '#platform/doctor/check-sqlite.ts'
import { type Finding, runChecks, worstOf } from '#platform/doctor/finding.ts'
import packageJson from '#project/package.json' with { type: 'json' }
import { checkPublicationsSettings } from '../../src/publications/doctor/check-publications-settings.ts'
import { tracksMigrations } from '../../src/tracks/migrations/all-migrations.ts'
import { databases, type Owner } from '../support/databases.ts'
import { startLocalS3 } from '../support/local-s3.ts'
import { ADMIN, runProgram } from '../support/run-program.ts'
import { startService } from '../support/start-service.ts'

const now = () => Date.now()
const KNOWN = Object.keys(tracksMigrations)

/** The findings that are not ok, as `error check`. */
const wrong = (findings: readonly Finding[]) =>
  findings.filter(({ level }) => level !== 'ok').map(({ level, check }) => `${level} ${check}`)

function requireRemedies(findings: readonly Finding[]): void {
  for (const { level, remedy, check } of findings) assert.equal(remedy === undefined, level === 'ok', check)
}

function makeFolder(owner: Owner): string {
  const folder = mkdtempSync(join(tmpdir(), 'doctor-'))
  owner.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

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

describe('the doctor looks at SQLite', () => {
  test('and finds damage, a clock that was set back, and the version that a database needs', async (t) => {
    const folder = makeFolder(t)
    const file = join(folder, 'tracks.sqlite')
    assert.deepEqual(wrong(checkSqlite(file, 'tracks', KNOWN, now())), [])
    const sqlite = databases.find(({ name }) => name === 'SQLite')
    if (sqlite === undefined) return
    const address = await sqlite.open(t)
    const made = join(address.dataDir, 'tracks.sqlite')
    const { openTracksDatabase } = await import('../../src/tracks/storage/open-database.ts')
    const logger = { info: () => {}, warn: () => {} }
    const settings = {
      databaseUrl: '',
      databaseConnections: 2,
      dataDir: address.dataDir,
      logger,
      programVersion: '0.9.0',
    }
    await (await openTracksDatabase(settings)).close()

    assert.deepEqual(wrong(checkSqlite(made, 'tracks', KNOWN, now())), [])
    assert.deepEqual(wrong(checkSqlite(made, 'tracks', KNOWN, now() - 3_600_000)), ['warning clock'])
    const older = checkSqlite(made, 'tracks', KNOWN.slice(0, -1), now())
    assert.deepEqual(wrong(older), ['error tracks migrations'])
    assert.match(older.find(({ level }) => level === 'error')!.remedy!, /Start Trackpress 0\.9\.0 or newer/)
    assert.deepEqual(wrong(checkSqlite(made, 'tracks', [...KNOWN, '9999-next'], now())), ['warning tracks migrations'])
    writeFileSync(made, 'no database')
    assert.deepEqual(wrong(checkSqlite(made, 'tracks', KNOWN, now())), ['error tracks'])
  })
})

describe('the doctor looks at files', () => {
  test('and finds nothing wrong with a folder and a bucket, and leaves nothing in them', async (t) => {
    const dataDir = makeFolder(t)
    const s3 = await startLocalS3({ conditions: 'kept' })
    t.after(() => s3.close())

    for (const url of ['', s3.url]) {
      const findings = await checkBlobs(url, dataDir, now)
      assert.deepEqual(wrong(findings), [])
      assert.ok(findings.some(({ check }) => check === 'no overwriting'))
    }
    const late = await checkBlobs(s3.url, dataDir, () => Date.now() + 120_000)
    assert.deepEqual(wrong(late), ['error clock'])
  })

  test('and finds a bucket that refuses, is away or does not exist', async (t) => {
    const dataDir = makeFolder(t)
    const s3 = await startLocalS3({ conditions: 'kept' })
    t.after(() => s3.close())
    const refusing = createServer((_, response) => response.writeHead(403).end())
    await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve))
    t.after(() => refusing.close())
    const endpoint = (port: number) => `s3://key:hidden-text@bucket?endpoint=http://127.0.0.1:${port}`

    const refused = await checkBlobs(endpoint((refusing.address() as AddressInfo).port), dataDir, now)
    const away = await checkBlobs(endpoint(1), dataDir, now)
    const missing = await checkBlobs(s3.url.replace('@bucket', '@elsewhere'), dataDir, now)

    for (const [findings, remedy] of [
      [refused, /Allow GetObject, PutObject/],
      [away, /can be reached from here/],
      [missing, /Create the bucket/],
    ] as const) {
      assert.deepEqual(wrong(findings), ['error reachable'])
      assert.match(findings[0].remedy!, remedy)
      assert.equal(JSON.stringify(findings).includes('hidden-text'), false)
    }
  })
})

const postgres = databases.find(({ name }) => name === 'PostgreSQL')

describe('the doctor looks at PostgreSQL', { skip: postgres === undefined && 'TEST_DATABASES leaves it out' }, () => {
  const schemas = [{ name: 'tracks', migrations: KNOWN, needsTrigrams: true }]

  test('and finds lost commits, a missing extension, too few connections and a wrong clock', async (t) => {
    const { url } = await postgres!.open(t)
    const check = (connections: number, clock = now) => checkPostgres({ url, connections, schemas, now: clock })

    const findings = await check(10)

    // The server of the tests gives up durability for speed.
    const found = wrong(findings).filter((each) => !/synchronous_commit|fsync|full_page_writes/.test(each))
    assert.deepEqual(found, ['warning pg_trgm'])
    assert.ok(wrong(findings).includes('error fsync'))
    assert.ok(wrong(await check(900)).includes('warning connections'))
    assert.ok(wrong(await check(10, () => Date.now() + 90_000)).includes('error clock'))
    requireRemedies(findings)
  })

  test('and finds a user without rights, and a database that is not there', async (t) => {
    const { url } = await postgres!.open(t)
    const user = `doctor_${randomBytes(4).toString('hex')}`
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.query(`create role ${user} login password 'hidden text'`)
    const restricted = Object.assign(new URL(url), { username: user, password: 'hidden text' }).href
    const check = (address: string) => checkPostgres({ url: address, connections: 2, schemas, now })

    const without = await check(restricted)
    await client.query('create schema tracks')
    const foreign = await check(restricted)
    await client.query(`drop role ${user}`)
    await client.end()
    const missing = await check(Object.assign(new URL(url), { pathname: '/nowhere' }).href)
    const away = await check('postgres://user:hidden@127.0.0.1:1/x')

    assert.ok(wrong(without).includes('error tracks'))
    assert.match(
      without.find(({ check }) => check === 'tracks')!.remedy!,
      new RegExp(`create schema tracks authorization "${user}"`),
    )
    assert.ok(wrong(foreign).includes('error tracks'))
    assert.deepEqual(wrong(missing), ['error reachable'])
    assert.match(missing[0].remedy!, /Create the database/)
    assert.deepEqual(wrong(away), ['error reachable'])
    assert.equal(JSON.stringify([without, foreign, missing, away]).includes('hidden'), false)
  })
})

type Proxy = {
  host?: string
  forwards?: boolean
  limitBytes?: number
  collectsBodies?: boolean
  collectsStreams?: boolean
  hides?: boolean
  /** Address of the client that the proxy names. */
  client?: string
}

/** A reverse proxy with the faults of real ones. */
async function startProxy(owner: Owner, target: string, proxy: Proxy): Promise<string> {
  const server = createServer(async (incoming, response) => {
    if (Number(incoming.headers['content-length'] ?? 0) > (proxy.limitBytes ?? Infinity))
      return response.writeHead(413).end()
    if (proxy.hides === true && ['/metrics', '/readyz'].includes(incoming.url!)) return response.writeHead(404).end()
    const body = proxy.collectsBodies === true ? await buffer(incoming).catch(() => Buffer.alloc(0)) : undefined
    const headers: Record<string, string | string[] | undefined> = {
      ...incoming.headers,
      ...(proxy.host === undefined ? {} : { host: proxy.host }),
    }
    if (proxy.forwards !== false) headers['x-forwarded-for'] = proxy.client ?? '192.0.2.1'
    const outgoing = request(target + incoming.url, { method: incoming.method, headers, agent: false })
    outgoing.on('error', () => response.destroy())
    outgoing.on('response', async (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      if (proxy.collectsStreams === true) response.end(await buffer(answer))
      else answer.pipe(response)
    })
    if (body === undefined) incoming.pipe(outgoing)
    else outgoing.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  owner.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('the doctor asks a running server', async () => {
  const [database] = databases
  const trusting = await startService({ after }, database, {
    services: ['tracks'],
    settings: { TRUSTED_PROXIES: '127.0.0.1' },
  })
  const { secrets } = trusting.server

  const check = (baseUrl: string, changes = {}) =>
    checkServer({
      ownUrl: trusting.url,
      baseUrl,
      secrets,
      version: packageJson.version,
      build: undefined,
      largestBodyBytes: 64 * 1_048_576,
      now,
      ...changes,
    })

  test('and finds nothing wrong behind a proxy that is set up as described', async (t) => {
    const url = await startProxy(t, trusting.url, { hides: true })

    const findings = await check(url)

    assert.deepEqual(wrong(findings), [])
    assert.ok(findings.some(({ check }) => check === 'live streams'))
    assert.ok(findings.some(({ check }) => check === 'uploads'))
  })

  test('and finds a proxy that changes Host, limits bodies, holds back streams and shows metrics', async (t) => {
    const url = await startProxy(t, trusting.url, { host: 'inner', limitBytes: 1_000_000, collectsStreams: true })

    const findings = await check(url)

    assert.deepEqual(wrong(findings), [
      'error Host',
      'error uploads',
      'error live streams',
      'warning private addresses',
    ])
    requireRemedies(findings)
  })

  test('and trusts a proxy through which the machine asks itself', async (t) => {
    const url = await startProxy(t, trusting.url, { hides: true, client: '127.0.0.1' })

    assert.deepEqual(wrong(await check(url)), [])
  })

  test('and finds a proxy that collects uploads', async (t) => {
    const url = await startProxy(t, trusting.url, { collectsBodies: true, hides: true })

    assert.deepEqual(wrong(await check(url)), ['warning uploads'])
  })

  test('and finds a proxy that the server does not trust', async (t) => {
    const url = await startProxy(t, trusting.url, { hides: true })
    const found = (await check(url, { baseUrl: url })).find(({ check }) => check === 'X-Forwarded-For')
    assert.equal(found?.level, 'ok')
    const wary = await startService(t, database, { services: ['tracks'] })
    const before = await startProxy(t, wary.url, { hides: true })

    const findings = await check(before, { ownUrl: wary.url, secrets: wary.server.secrets })

    assert.deepEqual(wrong(findings), ['error X-Forwarded-For'])
    assert.match(findings.find(({ level }) => level === 'error')!.remedy!, /TRUSTED_PROXIES=127\.0\.0\.1/)
  })

  test('and finds another version, another secret, and nobody', async () => {
    assert.deepEqual(wrong(await check('', { version: '9.9.9' })), ['warning version'])
    assert.deepEqual(wrong(await check('', { secrets: [Buffer.alloc(32, 1)] })), ['warning BASE_URL'])
    const nobody = await check('http://127.0.0.1:1', { ownUrl: 'http://127.0.0.1:1' })
    assert.deepEqual(wrong(nobody), ['warning running', 'warning BASE_URL'])
  })

  test('at addresses that do not exist for others', async () => {
    for (const path of ['/doctor/request', '/doctor/stream']) {
      for (const ticket of ['', '1.x', `${Date.now()}.${'A'.repeat(43)}`]) {
        assert.equal((await fetch(trusting.url + path, { headers: { 'x-doctor': ticket } })).status, 404)
      }
    }
  })
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
