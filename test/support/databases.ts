import { cpSync, rmSync } from 'node:fs'
import { after } from 'node:test'
import type { Database } from '#platform/database/database.ts'
import { type Migration, migrate } from '#platform/database/migrate.ts'
import { connectDatabase } from '#platform/database/open-database.ts'
import { copyCitusTemplate, createCitusTemplate, dropCitusDatabase } from './citus-cluster.ts'
import { makeDataFolder } from './data-folder.ts'
import { startPostgresCluster } from './postgres-cluster.ts'
import { copyDatabase, dropDatabase } from './prepared-database.ts'
import { selectedDatabases } from './selected-databases.ts'
import { noteQueries } from './sharded-queries.ts'

noteQueries()

/**
 * The user of a database, which ends before the database is dropped: a test, or a file's `{ after }` of `node:test`.
 */
export type Owner = { after(clean: () => Promise<void> | void): void; readonly passed?: boolean }

/** The location of a fresh database, as `connectDatabase` takes it. */
export type DatabaseAddress = { url: string; dataDir: string }

/** An engine to run a test on. */
export type TestDatabase = {
  name: 'SQLite' | 'PostgreSQL' | 'Citus'
  /** Creates an empty database. The owner drops it, or keeps it and prints its address if a test failed. */
  open(owner: Owner): Promise<DatabaseAddress>
  /** Creates a database for the program, which may already have the tables of all services. Otherwise as `open`. */
  prepare(owner: Owner): Promise<DatabaseAddress>
  /** Creates one, connects to it as `name`, and runs the migrations. The owner closes it. */
  connect<Tables = unknown>(owner: Owner, options?: TestConnection): Promise<Database<Tables>>
}

export type TestConnection = { name?: string; migrations?: Record<string, Migration> }

const engines: Record<string, TestDatabase> = {
  sqlite: engine('SQLite', openSqlite, prepareSqlite),
  postgres: engine(
    'PostgreSQL',
    (owner) => openPostgres(owner, 'template0'),
    // Of the whole run; a single file without the run's set-up gets along without one.
    (owner) => openPostgres(owner, process.env.TEST_PREPARED_DATABASE ?? 'template0'),
  ),
  citus: engine('Citus', openCitus),
}

function engine(
  name: TestDatabase['name'],
  open: TestDatabase['open'],
  prepare: TestDatabase['prepare'] = open,
): TestDatabase {
  return { name, open, prepare, connect: (owner, options) => connect(open, owner, options) }
}

/** The engines to loop over: `for (const database of databases) describe(database.name, …)`. */
export const databases: readonly TestDatabase[] = selectedDatabases().map((name) => engines[name])

/**
 * One of them, to loop over in tests of what no engine changes: contents of files, and bodies of requests. Every query
 * that these send is sent by tests on all engines as well.
 */
export const oneDatabase: readonly TestDatabase[] = databases.slice(0, 1)

async function openSqlite(owner: Owner): Promise<DatabaseAddress> {
  const dataDir = makeDataFolder('sqlite-')
  owner.after(() => {
    if (isKept(owner, dataDir)) return
    rmSync(dataDir, { recursive: true, force: true })
  })
  return { url: '', dataDir }
}

async function prepareSqlite(owner: Owner): Promise<DatabaseAddress> {
  const address = await openSqlite(owner)
  const prepared = process.env.TEST_PREPARED_FOLDER
  if (prepared !== undefined) cpSync(prepared, address.dataDir, { recursive: true })
  return address
}

async function openPostgres(owner: Owner, template: string): Promise<DatabaseAddress> {
  const server = await postgresUrl()
  const url = await copyDatabase(server, template)
  owner.after(async () => {
    if (!isKept(owner, url)) await dropDatabase(server, new URL(url).pathname.slice(1))
  })
  return { url, dataDir: '' }
}

/** Opens a copy of a database whose tables are spread over the cluster of CITUS_URL. */
async function openCitus(owner: Owner): Promise<DatabaseAddress> {
  const cluster = process.env.CITUS_URL!
  const url = await copyCitusTemplate(cluster, await citusTemplate())
  owner.after(async () => {
    if (!isKept(owner, url)) await dropCitusDatabase(cluster, new URL(url).pathname.slice(1))
  })
  return { url, dataDir: '' }
}

async function connect<Tables>(
  open: TestDatabase['open'],
  owner: Owner,
  { name = 'test', migrations = {} }: TestConnection = {},
): Promise<Database<Tables>> {
  const cleanUps: (() => Promise<void> | void)[] = []
  // Owners clean up in the order of registration, and a database must be closed before it is dropped.
  const address = await open({
    after: (clean) => cleanUps.push(clean),
    get passed() {
      return owner.passed
    },
  })
  const database = await connectDatabase<Tables>({ ...address, name })
  owner.after(async () => {
    await database.close()
    for (const clean of cleanUps) await clean()
  })
  await migrate(database, migrations)
  return database
}

function isKept(owner: Owner, where: string): boolean {
  if (owner.passed !== false) return false
  process.stderr.write(`The database of a failed test is kept: ${where}\n`)
  return true
}

let ownTemplate: Promise<string> | undefined

/** Returns the template of the whole run, or makes one for this process if a single file runs on its own. */
function citusTemplate(): Promise<string> {
  const given = process.env.TEST_CITUS_TEMPLATE
  if (given !== undefined) return Promise.resolve(given)
  const cluster = process.env.CITUS_URL!
  if (ownTemplate === undefined) {
    ownTemplate = createCitusTemplate(cluster)
    after(async () => dropCitusDatabase(cluster, await ownTemplate!))
  }
  return ownTemplate
}

let ownCluster: Promise<string> | undefined

/** Returns the server of the whole run, or starts one for this process if a single file runs on its own. */
function postgresUrl(): Promise<string> {
  const given = process.env.TEST_POSTGRES_URL
  if (given !== undefined) return Promise.resolve(given)
  // It ends with this process, and its folder is a temporary one.
  ownCluster ??= startPostgresCluster().then((cluster) => cluster.url)
  return ownCluster
}
