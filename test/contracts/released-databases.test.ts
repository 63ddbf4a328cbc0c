import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Client } from 'pg'
import { readConfig } from '#platform/basics/config.ts'
import packageJson from '#project/package.json' with { type: 'json' }
import { configTables } from '../../src/config.ts'
import { startServer } from '../../src/server.ts'
import { databases, type Owner, type TestDatabase } from '../support/databases.ts'
import { acceptedChanges, acceptedDifferences } from '../support/releases/accepted-differences.ts'
import { differences } from '../support/releases/compare-answers.ts'
import { ask } from '../support/releases/exchange.ts'
import { loadPostgres } from '../support/releases/postgres-dump.ts'
import { ENGINES, type Engine, RELEASES, storedVersions, unpackRelease } from '../support/releases/release-archive.ts'
import { incompatibleChanges, readSchema } from '../support/releases/schema-changes.ts'
import { SCHEMAS } from '../support/releases/store-installation.ts'

/** Of one version on both engines, so that a clone of the repository stays small. */
const MAX_BYTES = 400_000

const ENGINE_OF: Partial<Record<TestDatabase['name'], Engine>> = { SQLite: 'sqlite', PostgreSQL: 'postgres' }

/**
 * Starts the present program on a stored installation, at the time at which the installation was asked. The clock
 * stands still: on a busy machine, codes would run out, and the program would begin work that is due later.
 */
async function startOnRelease(owner: Owner, database: TestDatabase, version: string) {
  const dataDir = mkdtempSync(join(tmpdir(), 'release-'))
  const cleanUps: (() => Promise<void> | void)[] = []
  const address = await database.open({ after: (clean) => cleanUps.push(clean) })
  const { dump, settings, askedAtMs, exchanges } = await unpackRelease(version, ENGINE_OF[database.name]!, dataDir)
  if (dump !== undefined) await loadPostgres(address.url, dump)
  const schemaBefore = address.url === '' ? undefined : await readSchema(address.url, SCHEMAS)
  const config = readConfig(configTables, {
    ...settings,
    PORT: '0',
    LOG_LEVEL: 'silent',
    DATA_DIR: dataDir,
    DATABASE_URL: address.url,
  })
  const server = await startServer(config, { now: () => askedAtMs })
  owner.after(async () => {
    await server.close()
    for (const clean of cleanUps) await clean()
    rmSync(dataDir, { recursive: true, force: true })
  })
  return { server, exchanges, schemaBefore, url: address.url }
}

describe('stored installations', () => {
  test('exist for the version in package.json, on both engines; npm run release makes them', () => {
    for (const engine of ENGINES) statSync(join(RELEASES, packageJson.version, `${engine}.zip`))
  })

  test('are small', () => {
    for (const version of storedVersions()) {
      const bytes = ENGINES.reduce((sum, engine) => sum + statSync(join(RELEASES, version, `${engine}.zip`)).size, 0)

      assert.ok(bytes <= MAX_BYTES, `${version}: ${bytes} bytes`)
    }
  })
})

for (const database of databases.filter(({ name }) => ENGINE_OF[name] !== undefined)) {
  for (const version of storedVersions()) {
    test(`an installation of ${version} on ${database.name} is upgraded in one step and answers as before`, {
      timeout: 240_000,
    }, async (t) => {
      const { server, exchanges, schemaBefore, url } = await startOnRelease(t, database, version)
      // A version that is older than the one before needs no instances beside this one.
      if (schemaBefore !== undefined && version === storedVersions().at(-1)) {
        const changes = incompatibleChanges(schemaBefore, await readSchema(url, SCHEMAS))
        const accepted = acceptedChanges.filter((each) => each.version === version)
        assert.deepEqual(
          changes.filter((change) => !accepted.some(({ is }) => is.test(change))),
          [],
        )
      }

      const found: string[] = []
      const accepted = new Set<string>()
      for (const { request, answer } of exchanges) {
        const present = await ask(server.url, request)
        for (const difference of differences(answer, present, request.timely)) {
          const reason = acceptedDifferences.find(
            (each) => each.version === version && each.of.test(request.name) && each.is.test(difference),
          )
          if (reason === undefined) found.push(`${request.name} (${request.method} ${request.path}): ${difference}`)
          else accepted.add(reason.because)
        }
      }

      assert.deepEqual(found, [])
      const reasons = acceptedDifferences.filter((each) => each.version === version).map(({ because }) => because)
      assert.deepEqual(
        reasons.filter((because) => !accepted.has(because)),
        [],
        'accepted differences that there are no more',
      )
      assert.ok(exchanges.length > 100)
    })
  }
}

const postgres = databases.find(({ name }) => name === 'PostgreSQL')

test('a change of the schema that instances of the version before would notice is found', async (t) => {
  if (postgres === undefined) return t.skip('TEST_DATABASES leaves PostgreSQL out')
  const { url } = await postgres.open(t)
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(`create schema tracks; set search_path = tracks;
    create table chunks (id text primary key, dropped text, narrowed bigint, emptied text, kept text);
    create table events (id text, gone text); create table shares (id text)`)
  const before = await readSchema(url, ['tracks'])

  await client.query(`set search_path = tracks;
    alter table chunks drop column dropped; alter table chunks alter column narrowed type integer;
    alter table chunks alter column emptied set not null; alter table chunks add column demanded text not null;
    alter table chunks add column given text not null default ''; alter table chunks add column free text;
    create index chunks_by_kept on chunks (kept); create index events_by_id on events (id);
    create unique index shares_once on shares (id); alter table events add constraint events_named check (id <> '');
    alter table events rename column gone to moved`)
  const changes = incompatibleChanges(before, await readSchema(url, ['tracks']))
  await client.end()

  assert.deepEqual(changes.sort(), [
    'tracks.chunks is written anew, which locks it meanwhile',
    'tracks.chunks.demanded is required, and the version before does not give it',
    'tracks.chunks.dropped is dropped or renamed',
    'tracks.chunks.emptied becomes required',
    'tracks.chunks.narrowed is integer instead of bigint',
    'tracks.chunks_by_kept locks tracks.chunks, which may be large, while it is made',
    'tracks.events.gone is dropped or renamed',
    'tracks.events_named refuses rows that were allowed',
    'tracks.shares_once refuses rows that were allowed',
  ])
})

test('an answer that has less than before is found, and one that has more is not', () => {
  const page = { status: 200, type: 'text/html', lines: ['As of 10:00 (CET)', 'Ann', 'Bob'] }
  const track = { status: 200, type: 'application/json', json: { id: 1, points: [{ x: 1 }], request_id: 'a' } }

  assert.deepEqual(differences(page, { ...page, lines: ['As of 10:01 (CET)', 'Bob', 'New', 'Ann'] }), [])
  assert.deepEqual(differences(track, { ...track, json: { id: 1, points: [{ x: 1, y: 2 }], more: true } }), [])
  const worse = { ...track, status: 404, json: { id: 2, points: [] } }
  assert.deepEqual(differences(track, worse), [
    'status: 404 instead of 200',
    'json.id: 2 instead of 1',
    'json.points: [] instead of [{"x":1}]',
  ])
  assert.deepEqual(differences(page, { ...page, lines: ['Ann'] }), ['line "Bob" is gone'])
})
