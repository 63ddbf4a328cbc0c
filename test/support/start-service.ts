import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '#platform/config.ts'
import { platformConfig } from '#platform/platform-config.ts'
import { type RunningServer, startServer } from '../../src/start-server.ts'
import { tracksConfig } from '../../src/tracks/config.ts'
import { createEventTokens } from '../../src/tracks/event-tokens.ts'
import type { Owner, TestDatabase } from './databases.ts'

/** The whole program in this process, on a real database and a real port, with what its first start made. */
export type StartedService = {
  url: string
  token: string
  eventId: string
  server: RunningServer
  /** Sends a request with the app token; `json` is the body, and undefined sends none. */
  request(method: string, path: string, json?: unknown, headers?: Record<string, string>): Promise<Response>
  /** Makes a further event, as the admin command does. */
  createEvent(name: string): Promise<{ id: string; token: string }>
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
    ...env,
  }
  const server = await startServer(readConfig({ platform: platformConfig, tracks: tracksConfig }, given))
  owner.after(async () => {
    await server.close()
    for (const clean of cleanUps) await clean()
    if (address.dataDir === '') rmSync(dataDir, { recursive: true, force: true })
  })

  const { event } = server.firstStart!
  const { deps } = server.tracks!
  const tokens = createEventTokens({
    events: deps.events,
    notices: deps.database.notices,
    tokenKey: Buffer.alloc(32),
    now: deps.now,
  })
  return {
    url: server.url,
    token: event.token,
    eventId: event.id,
    server,
    request: async (method, path, json, headers = {}) =>
      await fetch(server.url + path, {
        method,
        headers: {
          'X-API-Key': event.token,
          ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        body: json === undefined ? undefined : JSON.stringify(json),
      }),
    createEvent: (name) => tokens.create(name),
  }
}
