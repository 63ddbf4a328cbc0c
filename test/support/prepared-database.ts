import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { openOperatorDatabase } from '../../src/operator/model/tables.ts'
import { openPublicationsDatabase } from '../../src/publications/model/tables.ts'
import { openTracksDatabase } from '../../src/tracks/model/migrations.ts'
import { makeDataFolder } from './data-folder.ts'

// The migrations of all services take PostgreSQL a third of a second and SQLite a tenth, and most tests are about
// something else.

/** A database in which the tables of a service are created. */
type Place = { databaseUrl: string; dataDir: string }

/** Creates a database with the tables of all services, for copies of it. @returns its name */
export async function createPreparedDatabase(server: string): Promise<string> {
  const name = `prepared_${randomBytes(6).toString('hex')}`
  await onServer(server, `create database ${name} template template0 strategy file_copy`)
  await createTables({ databaseUrl: databaseUrl(server, name), dataDir: '' })
  return name
}

/** Creates a folder with the SQLite files of all services, for copies of it. @returns its path */
export async function createPreparedFolder(): Promise<string> {
  const dataDir = makeDataFolder('prepared-')
  await createTables({ databaseUrl: '', dataDir })
  return dataDir
}

async function createTables(place: Place): Promise<void> {
  const settings = { ...place, databaseConnections: 1, logger: { info() {}, warn() {} } }
  for (const open of [openTracksDatabase, openPublicationsDatabase, openOperatorDatabase]) {
    // A database can be copied only while nothing is connected to it.
    await (await open(settings)).close()
  }
}

/** Drops a database, and ends its connections. */
export async function dropDatabase(server: string, name: string): Promise<void> {
  await onServer(server, `drop database ${name} with (force)`)
}

/** Creates a copy of a database of the server. @returns the address of the copy */
export async function copyDatabase(server: string, template: string): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`
  // Copying the files takes half the time of writing them to the log first, the default.
  await onServer(server, `create database ${name} template ${template} strategy file_copy`)
  return databaseUrl(server, name)
}

function databaseUrl(server: string, name: string): string {
  return Object.assign(new URL(server), { pathname: `/${name}` }).href
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}
