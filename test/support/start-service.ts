import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '#platform/config.ts'
import { configTables } from '../../src/config-tables.ts'
import { createWorkspaceKeys, type OpenedWorkspace } from '../../src/publications/workspaces/workspace-keys.ts'
import { type RunningServer, startServer } from '../../src/start-server.ts'
import type { Owner, TestDatabase } from './databases.ts'

/** A program in this process, on a real database and a real port. */
type Started = {
  url: string
  server: RunningServer
  /** Sends a request with the app token, or the API key to what is of publications; `json` is the body, if any. */
  request(method: string, path: string, json?: unknown, headers?: Record<string, string>): Promise<Response>
}

/** Recording, with what its first start made. */
export type StartedTracks = Started & {
  token: string
  eventId: string
  /** Makes a further event, as the admin command does. */
  createEvent(name: string): Promise<{ id: string; token: string }>
}

/** Publication, with what its first start made. */
export type StartedPublications = Started & {
  apiKey: string
  workspaceId: string
  /** Makes a further workspace, as the admin command does. */
  createWorkspace(name: string): Promise<OpenedWorkspace>
}

/** The whole program. */
export type StartedService = StartedTracks & StartedPublications

type Settings = Record<string, string>

/** Starts recording alone on a fresh database of the given engine; it is stopped and removed with its owner. */
export async function startTracks(owner: Owner, database: TestDatabase, env: Settings = {}): Promise<StartedTracks> {
  const started = await start(owner, database, { SERVICES: 'tracks', ...env })
  return Object.assign(started, tracksOf(started.server))
}

/** Starts publication alone on a fresh database of the given engine; it is stopped and removed with its owner. */
export async function startPublications(
  owner: Owner,
  database: TestDatabase,
  env: Settings = {},
): Promise<StartedPublications> {
  const started = await start(owner, database, { SERVICES: 'publications', ...env })
  return Object.assign(started, publicationsOf(started.server))
}

/** Starts the program on a fresh database of the given engine; it is stopped and removed with its owner. */
export async function startService(owner: Owner, database: TestDatabase, env: Settings = {}): Promise<StartedService> {
  const started = await start(owner, database, env)
  return Object.assign(started, tracksOf(started.server), publicationsOf(started.server))
}

async function start(owner: Owner, database: TestDatabase, env: Settings): Promise<Started> {
  const cleanUps: (() => Promise<void> | void)[] = []
  const address = await database.open({
    after: (clean) => cleanUps.push(clean),
    get passed() {
      return owner.passed
    },
  })
  const dataDir = address.dataDir || mkdtempSync(join(tmpdir(), 'service-'))
  const given = {
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: address.url,
    LOG_LEVEL: 'silent',
    TRACKS_RATE_LIMIT: '0',
    PUBLICATIONS_RATE_LIMIT: '0',
    ...env,
  }
  const server = await startServer(readConfig(configTables, given))
  owner.after(async () => {
    await server.close()
    for (const clean of cleanUps) await clean()
    if (address.dataDir === '') rmSync(dataDir, { recursive: true, force: true })
  })

  const token = server.firstStart.event?.token
  const apiKey = server.firstStart.workspace?.api_key
  return {
    url: server.url,
    server,
    request: async (method, path, json, headers = {}) =>
      await fetch(server.url + path, {
        method,
        headers: {
          'X-API-Key': (path.startsWith('/publications') ? apiKey : token)!,
          ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        body: json === undefined ? undefined : JSON.stringify(json),
      }),
  }
}

function tracksOf({ tracks, firstStart }: RunningServer): Omit<StartedTracks, keyof Started> {
  const { eventTokens } = tracks!.deps
  const { id, token } = firstStart.event!
  async function createEvent(name: string) {
    const created = await eventTokens.create(name)
    return { id: created.id, token: created.token.text }
  }
  return { token, eventId: id, createEvent }
}

function publicationsOf({ publications, firstStart }: RunningServer): Omit<StartedPublications, keyof Started> {
  const { workspaces, database, now } = publications!.deps
  const keys = createWorkspaceKeys({ workspaces, notices: database.notices, sealingKey: Buffer.alloc(32), now })
  const { id, api_key } = firstStart.workspace!
  return { apiKey: api_key, workspaceId: id, createWorkspace: (name) => keys.create(name) }
}
