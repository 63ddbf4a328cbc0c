import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '#platform/config.ts'
import { configTables } from '../../src/config-tables.ts'
import { createWorkspaceKeys, type OpenedWorkspace } from '../../src/publications/workspace-keys.ts'
import { type RunningServer, startServer } from '../../src/start-server.ts'
import { createEventTokens } from '../../src/tracks/event-tokens.ts'
import type { Owner, TestDatabase } from './databases.ts'

/** The whole program in this process, on a real database and a real port, with what its first start made. */
export type StartedService = {
  url: string
  token: string
  eventId: string
  apiKey: string
  workspaceId: string
  server: RunningServer
  /** Sends a request with the app token, or the API key to what is of publications; `json` is the body, if any. */
  request(method: string, path: string, json?: unknown, headers?: Record<string, string>): Promise<Response>
  /** Makes a further event, as the admin command does. */
  createEvent(name: string): Promise<{ id: string; token: string }>
  /** Makes a further workspace, as the admin command does. */
  createWorkspace(name: string): Promise<OpenedWorkspace>
}

/** Starts the program on a fresh database of the given engine; it is stopped and removed with its owner. */
export async function startService(
  owner: Owner,
  database: TestDatabase,
  env: Record<string, string> = {},
): Promise<StartedService> {
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

  const { deps } = server.tracks!
  const event = server.firstStart.event!
  const workspace = server.firstStart.workspace!
  const publications = server.publications!.deps
  const tokens = createEventTokens({
    events: deps.events,
    notices: deps.database.notices,
    tokenKey: Buffer.alloc(32),
    now: deps.now,
  })
  const workspaceKeys = createWorkspaceKeys({
    workspaces: publications.workspaces,
    notices: publications.database.notices,
    sealingKey: Buffer.alloc(32),
    now: publications.now,
  })
  return {
    url: server.url,
    token: event.token,
    eventId: event.id,
    apiKey: workspace.api_key,
    workspaceId: workspace.id,
    server,
    request: async (method, path, json, headers = {}) =>
      await fetch(server.url + path, {
        method,
        headers: {
          'X-API-Key': path.startsWith('/publications') ? workspace.api_key : event.token,
          ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        body: json === undefined ? undefined : JSON.stringify(json),
      }),
    createEvent: (name) => tokens.create(name),
    createWorkspace: (name) => workspaceKeys.create(name),
  }
}
