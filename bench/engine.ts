import { mkdirSync, mkdtempSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { type PostgresCluster, startPostgresCluster } from '../test/support/postgres-cluster.ts'
import { startProgram } from './start-program.ts'
import type { Target } from './target.ts'

/** A database to measure the service on. */
export type Engine = {
  name: 'SQLite' | 'PostgreSQL'
  /** Starts the whole program on an empty database. */
  start(): Promise<MeasuredServer>
  close(): Promise<void>
}

/** The program under test, and the disk use of its data: the whole data folder, or the tables and their indexes. */
export type MeasuredServer = Target & { diskBytes(): Promise<number> }

export function sqliteEngine(folder: string): Engine {
  return {
    name: 'SQLite',
    async start() {
      const dataDir = mkdtempSync(join(folder, 'data-'))
      const target = await startProgram('SQLite', 'src/main.ts', { DATA_DIR: dataDir })
      return { ...target, diskBytes: async () => folderBytes(dataDir) }
    },
    close: async () => {},
  }
}

/** Starts a private PostgreSQL with production durability: a commit returns when it is on disk. */
export async function postgresEngine(folder: string): Promise<Engine> {
  const cluster: PostgresCluster = await startPostgresCluster({ isDurable: true })
  const admin = new Client({ connectionString: cluster.url })
  await admin.connect()
  let databases = 0
  return {
    name: 'PostgreSQL',
    async start() {
      const name = `bench${++databases}`
      await admin.query(`create database ${name}`)
      const url = Object.assign(new URL(cluster.url), { pathname: `/${name}` }).href
      const dataDir = join(folder, name)
      mkdirSync(dataDir)
      const target = await startProgram('PostgreSQL', 'src/main.ts', { DATA_DIR: dataDir, DATABASE_URL: url })
      return { ...target, diskBytes: () => tableBytes(url) }
    },
    async close() {
      await admin.end()
      await cluster.stop()
    },
  }
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
