import { mkdirSync, mkdtempSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { startPostgresCluster } from '../../test/support/postgres-cluster.ts'
import { type PostgresMeter, postgresMeter } from './postgres-time.ts'
import { type Command, startProgram } from './start-program.ts'
import type { Target } from './target.ts'

/** A database to measure the program on. */
export type Engine = {
  name: 'SQLite' | 'PostgreSQL'
  /** Creates an empty database, for any number of starts of the program one after the other. */
  create(): Promise<Installation>
  /** Starts the whole program on an empty database. */
  start(settings?: Settings): Promise<MeasuredServer>
  /** Measures the database's own processes; undefined where the program itself is the database. */
  meter: PostgresMeter | undefined
  close(): Promise<void>
}

export type Settings = Record<string, string>

/** A database with its data folder. */
export type Installation = {
  dataDir: string
  /** Address of the database; empty on SQLite. */
  databaseUrl: string
  start(settings?: Settings): Promise<MeasuredServer>
}

/** The program under test, and the disk use of its data: the whole data folder, or the tables and their indexes. */
export type MeasuredServer = Target & { diskBytes(): Promise<number> }

export function sqliteEngine(folder: string, program: Command): Engine {
  const engine: Engine = {
    name: 'SQLite',
    meter: undefined,
    async create() {
      const dataDir = mkdtempSync(join(folder, 'data-'))
      return {
        dataDir,
        databaseUrl: '',
        async start(settings) {
          const target = await startProgram('SQLite', program, { DATA_DIR: dataDir, ...settings })
          return { ...target, diskBytes: async () => folderBytes(dataDir) }
        },
      }
    },
    start: async (settings) => await (await engine.create()).start(settings),
    close: async () => {},
  }
  return engine
}

/** Starts a private PostgreSQL with production durability: a commit returns when it is on disk. */
export async function postgresEngine(folder: string, program: Command): Promise<Engine> {
  const cluster = await startPostgresCluster({ isDurable: true })
  const admin = new Client({ connectionString: cluster.url })
  await admin.connect()
  let databases = 0
  const engine: Engine = {
    name: 'PostgreSQL',
    meter: postgresMeter(admin),
    async create() {
      const name = `bench${++databases}`
      await admin.query(`create database ${name}`)
      const databaseUrl = Object.assign(new URL(cluster.url), { pathname: `/${name}` }).href
      const dataDir = join(folder, name)
      mkdirSync(dataDir)
      return {
        dataDir,
        databaseUrl,
        async start(settings) {
          const own = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, ...settings }
          const target = await startProgram('PostgreSQL', program, own)
          return { ...target, diskBytes: () => tableBytes(databaseUrl) }
        },
      }
    },
    start: async (settings) => await (await engine.create()).start(settings),
    async close() {
      await admin.end()
      await cluster.stop()
    },
  }
  return engine
}

function folderBytes(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => {
    const found = statSync(join(folder, name))
    return sum + (found.isDirectory() ? folderBytes(join(folder, name)) : found.size)
  }, 0)
}

async function tableBytes(url: string): Promise<number> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('vacuum full tracks.chunks, tracks.tracks')
    const { rows } = await client.query(
      `select sum(pg_total_relation_size(c.oid)) as bytes from pg_class c join pg_namespace n on n.oid = relnamespace
       where nspname = 'tracks' and relkind = 'r'`,
    )
    return Number(rows[0].bytes)
  } finally {
    await client.end()
  }
}
