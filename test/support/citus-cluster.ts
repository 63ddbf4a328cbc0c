import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { distribute, distributionUrl } from '#platform/database/distribute.ts'
import { openOperatorDatabase } from '../../src/operator/model/tables.ts'
import { openPublicationsDatabase, publicationsLayout } from '../../src/publications/model/tables.ts'
import { openTracksDatabase } from '../../src/tracks/model/migrations.ts'
import { tracksLayout } from '../../src/tracks/model/tables.ts'

// CITUS_URL names a database on the coordinator of a cluster, for a user who may create databases on every machine.

/** Shards per table: as few as show that rows lie on different machines. */
const SHARD_COUNT = 4

type Machine = { host: string; port: number; isCoordinator: boolean }

/** Creates an empty database of the same name on every machine, joined to a cluster. @returns its address */
export async function createCitusDatabase(citusUrl: string): Promise<string> {
  const { name, machines } = await createOnAll(citusUrl, '')
  const url = urlOf(citusUrl, name)
  const [coordinator, ...workers] = machines
  for (const machine of machines) await onMachine(citusUrl, machine, name, ['create extension citus'])
  await onMachine(citusUrl, coordinator, name, [
    `alter database ${name} set citus.shard_count = ${SHARD_COUNT}`,
    `select citus_set_coordinator_host('${coordinator.host}', ${coordinator.port})`,
    ...workers.map(({ host, port }) => `select citus_add_node('${host}', ${port})`),
  ])
  return url
}

/** Creates a database in which the tables of all services are spread, for copies of it. @returns its name */
export async function createCitusTemplate(citusUrl: string): Promise<string> {
  const url = await createCitusDatabase(citusUrl)
  const settings = {
    databaseUrl: distributionUrl(url),
    databaseConnections: 2,
    dataDir: '',
    logger: { info() {}, warn() {} },
  }
  const tracks = await openTracksDatabase(settings)
  const publications = await openPublicationsDatabase(settings)
  const operator = await openOperatorDatabase(settings)
  await distribute(
    [
      { schema: 'tracks', database: tracks, layout: tracksLayout },
      { schema: 'publications', database: publications, layout: publicationsLayout },
    ] as unknown as Parameters<typeof distribute>[0],
    () => {},
  )
  for (const database of [tracks, publications, operator]) await database.close()
  const name = new URL(url).pathname.slice(1)
  for (const machine of await machinesOf(citusUrl)) {
    // A database can be copied only while nothing is connected to it, including the extension's own process.
    await onMachine(citusUrl, machine, 'postgres', [
      `alter database ${name} with allow_connections false`,
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`,
    ])
  }
  return name
}

/** Copies a template on every machine. @returns the address of the copy */
export async function copyCitusTemplate(citusUrl: string, template: string): Promise<string> {
  const { name } = await createOnAll(citusUrl, `template ${template}`)
  return urlOf(citusUrl, name)
}

/** Drops a database from every machine. */
export async function dropCitusDatabase(citusUrl: string, name: string): Promise<void> {
  for (const machine of await machinesOf(citusUrl))
    await onMachine(citusUrl, machine, 'postgres', [`drop database if exists ${name} with (force)`])
}

async function createOnAll(citusUrl: string, options: string) {
  const name = `test_${randomBytes(6).toString('hex')}`
  const machines = await machinesOf(citusUrl)
  for (const machine of machines) await onMachine(citusUrl, machine, 'postgres', [`create database ${name} ${options}`])
  return { name, machines }
}

/** Returns the machines of the cluster, the coordinator first. */
async function machinesOf(citusUrl: string): Promise<Machine[]> {
  const client = new Client({ connectionString: citusUrl })
  await client.connect()
  const { rows } = await client
    .query('select nodename as host, nodeport as port, groupid from pg_dist_node order by groupid')
    .finally(() => client.end())
  return rows.map(({ host, port, groupid }) => ({ host, port, isCoordinator: groupid === 0 }))
}

async function onMachine(citusUrl: string, { host, port }: Machine, name: string, statements: string[]): Promise<void> {
  const url = Object.assign(new URL(urlOf(citusUrl, name)), { hostname: host, port })
  const client = new Client({ connectionString: url.href })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

function urlOf(citusUrl: string, name: string): string {
  return Object.assign(new URL(citusUrl), { pathname: `/${name}` }).href
}
