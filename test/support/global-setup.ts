import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isBuiltFromSources } from '#platform/basics/build.ts'
import { createCitusTemplate, dropCitusDatabase } from './citus-cluster.ts'
import { type PostgresCluster, startPostgresCluster } from './postgres-cluster.ts'
import { createPreparedDatabase, createPreparedFolder, dropDatabase } from './prepared-database.ts'
import { selectedDatabases } from './selected-databases.ts'
import { findUnboundQueries } from './sharded-queries.ts'

// For `node --test --test-global-setup=test/support/global-setup.ts`: a current build and one PostgreSQL for all test
// files. Each file runs in its own process and reads the address from its environment.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

let cluster: PostgresCluster | undefined
let template: string | undefined
let prepared: string | undefined
let preparedFolder: string | undefined
/** File of the queries that tests record; undefined while there is nothing to remove. */
let queries: string | undefined

/**
 * Builds the server if its sources have changed, for the tests that start it; not if TEST_BUILD is `no`, because none
 * does. Starts PostgreSQL, unless TEST_POSTGRES_URL names one or TEST_DATABASES leaves it out. Prepares what tests
 * copy: databases with all tables.
 */
export async function globalSetup(): Promise<void> {
  if (process.env.TEST_BUILD !== 'no' && !isBuiltFromSources(ROOT, join(ROOT, 'dist', 'server'))) {
    execFileSync(process.execPath, ['--no-warnings', 'scripts/build-server.ts'], {
      cwd: ROOT,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }
  if (selectedDatabases().includes('citus')) {
    template = await createCitusTemplate(process.env.CITUS_URL!)
    process.env.TEST_CITUS_TEMPLATE = template
  }
  queries = join(mkdtempSync(join(tmpdir(), 'queries-')), 'queries.jsonl')
  writeFileSync(queries, '')
  process.env.TEST_QUERIES = queries
  if (selectedDatabases().includes('sqlite')) {
    preparedFolder = await createPreparedFolder()
    process.env.TEST_PREPARED_FOLDER = preparedFolder
  }
  if (!selectedDatabases().includes('postgres')) return
  if (process.env.TEST_POSTGRES_URL === undefined) {
    cluster = await startPostgresCluster()
    process.env.TEST_POSTGRES_URL = cluster.url
  }
  prepared = await createPreparedDatabase(process.env.TEST_POSTGRES_URL)
  process.env.TEST_PREPARED_DATABASE = prepared
}

/** Stops and removes what was started here. A run that forces its exit calls it twice. */
export async function globalTeardown(): Promise<void> {
  if (queries === undefined) return
  const recorded = queries
  queries = undefined
  if (template !== undefined) await dropCitusDatabase(process.env.CITUS_URL!, template)
  if (prepared !== undefined) await dropDatabase(process.env.TEST_POSTGRES_URL!, prepared)
  if (preparedFolder !== undefined) rmSync(preparedFolder, { recursive: true })
  await cluster?.stop()
  const unbound = findUnboundQueries(recorded)
  rmSync(dirname(recorded), { recursive: true })
  if (unbound.length === 0) return
  // An error here does not fail the run.
  process.stderr.write(`Queries that ask every shard of a distributed database:\n${unbound.join('\n')}\n`)
  process.exitCode = 1
}
