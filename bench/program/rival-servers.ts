import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import type { Engine } from './engine.ts'
import { benchServer, startProgram } from './start-program.ts'
import type { Target } from './target.ts'

/** Starts the service that stores one row per point in SQLite. */
export async function startRowsServer(folder: string): Promise<Target & { dataDir: string }> {
  const dataDir = mkdtempSync(join(folder, 'rows-'))
  return { ...(await startProgram('one row per point', benchServer('rows-server.ts'), { DATA_DIR: dataDir })), dataDir }
}

/** Starts the service that stores one row per point, in the same kind of database as the program under test. */
export async function startRival(engine: Pick<Engine, 'name' | 'create'>, folder: string): Promise<Target> {
  if (engine.name === 'SQLite') return await startRowsServer(folder)
  const settings = { DATABASE_URL: (await engine.create()).databaseUrl }
  return await startProgram('one row per point, by COPY', benchServer('copy-server.ts'), settings)
}

/** Starts the least that can keep a batch: a server that appends bodies to a file and syncs it. */
export async function startFloorServer(folder: string): Promise<Target> {
  return await startProgram('floor', benchServer('append-server.ts'), { DATA_DIR: mkdtempSync(join(folder, 'floor-')) })
}
