import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Client } from 'pg'
import { checkBlobs } from '#platform/doctor/check-blobs.ts'
import { checkPostgres } from '#platform/doctor/check-postgres.ts'
import { checkSqlite } from '#platform/doctor/check-sqlite.ts'
import { tracksMigrations } from '../../src/tracks/model/migrations.ts'
import { encodeChunk } from '../../src/tracks/points/chunks/chunk-codec.ts'
import { checkChunks } from '../../src/tracks/points/storage/damage.ts'
import { databases } from '../support/databases.ts'
import { makeFolder, requireRemedies, wrong } from '../support/doctor-findings.ts'
import { startLocalS3 } from '../support/local-s3.ts'
import { columnsOf, northward } from '../support/track-columns.ts'

const now = () => Date.now()

describe('the doctor looks at SQLite', () => {
  test('and finds damage, a clock that was set back, and the version that a database needs', async (t) => {
    const folder = makeFolder(t)
    const file = join(folder, 'tracks.sqlite')
    assert.deepEqual(wrong(checkSqlite(file, 'tracks', tracksMigrations, now())), [])
    const sqlite = databases.find(({ name }) => name === 'SQLite')
    if (sqlite === undefined) return
    const address = await sqlite.open(t)
    const made = join(address.dataDir, 'tracks.sqlite')
    const { openTracksDatabase } = await import('../../src/tracks/model/migrations.ts')
    const logger = { info: () => {}, warn: () => {} }
    const settings = {
      databaseUrl: '',
      databaseConnections: 2,
      dataDir: address.dataDir,
      logger,
      programVersion: '0.9.0',
    }
    await (await openTracksDatabase(settings)).close()

    assert.deepEqual(wrong(checkSqlite(made, 'tracks', tracksMigrations, now())), [])
    assert.deepEqual(wrong(checkSqlite(made, 'tracks', tracksMigrations, now() - 3_600_000)), ['warning clock'])
    const older = checkSqlite(made, 'tracks', {}, now())
    assert.deepEqual(wrong(older), ['error tracks migrations'])
    assert.match(older.find(({ level }) => level === 'error')!.remedy!, /Start Trackpress 0\.9\.0 or newer/)
    const later = { ...tracksMigrations, '9999-next': { up: async () => {} } }
    assert.deepEqual(wrong(checkSqlite(made, 'tracks', later, now())), ['warning tracks migrations'])
    const replacing = (...more: string[]) => ({
      '0001-anew': {
        up: async () => {},
        replaces: { names: [...Object.keys(tracksMigrations), ...more], lastVersion: 'Trackpress 0.9.1' },
      },
    })
    const [replaced] = checkSqlite(made, 'tracks', replacing(), now()).filter(({ level }) => level !== 'ok')
    assert.match(replaced.found, /next start replaces the record/)
    const [incomplete] = checkSqlite(made, 'tracks', replacing('9999-next'), now()).filter(
      ({ level }) => level !== 'ok',
    )
    assert.match(incomplete.found, /Start Trackpress 0\.9\.1 once/)
    writeFileSync(made, 'no database')
    assert.deepEqual(wrong(checkSqlite(made, 'tracks', tracksMigrations, now())), ['error tracks'])
  })
})

describe('the doctor looks at points', () => {
  test('and names a damaged chunk', async () => {
    const sound = encodeChunk(columnsOf(northward(20, 1, (i) => i)), 'fast')
    const row = (track_id: string, bytes: Uint8Array) => ({ track_id, first_ms: 0, bytes })

    const intact = await checkChunks([row('sound', sound)])
    const [damaged] = await checkChunks([row('sound', sound), row('damaged', new Uint8Array(40))])

    assert.deepEqual(wrong(intact), [])
    assert.equal(damaged.level, 'error')
    assert.match(damaged.found, /^1 damaged: track damaged from 1970-01-01.*version 0 is unknown/)
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

  test('and speaks of the folder where files are in one', async (t) => {
    const dataDir = makeFolder(t)
    writeFileSync(join(dataDir, 'blobs'), '')

    const findings = await checkBlobs('', dataDir, now)

    assert.deepEqual(
      findings.map(({ level, remedy }) => [level, remedy]),
      [['error', 'Mount the disk of DATA_DIR/blobs, or restore the folder from a backup.']],
    )
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
  const schemas = [{ name: 'tracks', migrations: tracksMigrations, needsTrigrams: true }]

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
