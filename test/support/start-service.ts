import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { readConfig } from '#platform/basics/config.ts'
import { isDatabaseUnavailable } from '#platform/database/database-failure.ts'
import { configTables } from '../../src/config.ts'
import type { PasswordJudge } from '../../src/operator/sign-in/authenticate.ts'
import { isWeakPassword } from '../../src/operator/sign-in/password-weakness.ts'
import type { OpenedWorkspace } from '../../src/publications/library/workspace-keys.ts'
import { type RunningServer, type ServerReplacements, startServer } from '../../src/server.ts'
import type { TokenGrant } from '../../src/tracks/api/event-tokens.ts'
import { PERMISSIONS } from '../../src/tracks/model/event-rules.ts'
import type { TestBlobStore } from './blob-stores.ts'
import { type Browser, createBrowser } from './browser.ts'
import { makeDataFolder } from './data-folder.ts'
import type { Owner, TestDatabase } from './databases.ts'
import { keepWriterThread } from './keep-writer-thread.ts'
import { signIn } from './sign-in.ts'

type ServiceName = 'tracks' | 'publications' | 'dashboard'

const ALL_SERVICES: readonly ServiceName[] = ['tracks', 'publications', 'dashboard']

const START_ATTEMPTS = 10
const START_PAUSE_MS = 1_000

/** Real hashes at a low cost; the recommended cost has tests of its own. */
const QUICK_HASH = { memoryKib: 64, passes: 1, lanes: 1 }

/** The real judge, without a thread for each start, which would build its dictionaries again. */
const PASSWORD_JUDGE: PasswordJudge = {
  isWeak: (password, operatorName) => isWeakPassword([password, operatorName]),
  close: async () => {},
}

export type ServiceOptions<Name extends ServiceName = ServiceName> = Omit<
  ServerReplacements,
  'hashCost' | 'passwordJudge'
> & {
  /** The services to run; all of them by default. */
  services?: readonly Name[]
  /** Settings by the name of their environment variable. */
  settings?: Record<string, string>
  /** Store for the files; the data folder by default. */
  blobs?: TestBlobStore
  /** Runs the dashboard as well, and signs an operator in who sends the requests to `/operator`. */
  signedIn?: boolean
}

/** The program in this process, on a real database and a real port. */
type Started = {
  url: string
  server: RunningServer
  /**
   * Sends a request: to `/tracks` and `/sync` with the app token, to `/publications` and `/collections` with the API
   * key, to `/operator` from the operator's browser. Undefined `json` sends no body.
   */
  request(method: string, path: string, json?: unknown, headers?: Record<string, string>): Promise<Response>
  /** Sends a request, requires this status, and returns the body. */
  answer<Body>(status: number, method: string, path: string, json?: unknown): Promise<Body>
  /** The operator's browser; without a session unless `signedIn` was given. */
  operator: Browser
  /**
   * Starts another instance on the same database and data folder, with the same settings but for those
   * given. Its requests have no credentials.
   */
  startAnother(settings?: Record<string, string>): Promise<Started>
}

/** Track recording, with the event of the first start. */
export type StartedTracks = Started & {
  token: string
  eventId: string
  /** Creates another event, as the admin command does. */
  createEvent(name: string): Promise<{ id: string; token: string }>
  /**
   * Creates a further token of an event, by default with all permissions, of the first event, for everyone's tracks.
   */
  createToken(grant?: Partial<TokenGrant> & { eventId?: string }): Promise<string>
  /** Sends a request with a token of the first event that has all permissions. */
  asManager(method: string, path: string, json?: unknown): Promise<Response>
}

/** Publication, with the workspace of the first start. */
export type StartedPublications = Started & {
  apiKey: string
  workspaceId: string
  /** Creates another workspace, as the admin command does. */
  createWorkspace(name: string): Promise<OpenedWorkspace>
}

/** All services, or those named. */
export type StartedService<Name extends ServiceName = ServiceName> = Started &
  ('tracks' extends Name ? StartedTracks : unknown) &
  ('publications' extends Name ? StartedPublications : unknown)

/** Starts the program, built as `main.ts` builds it, on a fresh database. It is stopped and removed with its owner. */
export async function startService<const Name extends ServiceName = ServiceName>(
  owner: Owner,
  database: TestDatabase,
  options: ServiceOptions<Name> = {},
): Promise<StartedService<Name>> {
  const { services: names = ALL_SERVICES, settings = {}, blobs, signedIn = false, ...replacements } = options
  const cleanUps: (() => Promise<void> | void)[] = []
  const shared: Owner = {
    after: (clean) => cleanUps.push(clean),
    get passed() {
      return owner.passed
    },
  }
  const address = await database.prepare(shared)
  if (address.url === '') await keepWriterThread()
  const bucket = await blobs?.open(shared)
  const dataDir = address.dataDir || makeDataFolder('service-')
  const services = signedIn ? new Set<ServiceName>([...names, 'dashboard']) : names
  const environment = {
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: address.url,
    LOG_LEVEL: 'silent',
    TRACKS_RATE_LIMIT: '0',
    PUBLICATIONS_RATE_LIMIT: '0',
    OCR: 'off',
    SERVICES: [...services].join(),
    BLOBS_URL: bucket?.url ?? '',
    ...settings,
  }
  // Owners clean up in the order of registration, and all instances have to stop before what they share is removed.
  const servers: RunningServer[] = []
  owner.after(async () => {
    for (const server of servers) await server.close()
    for (const clean of cleanUps) await clean()
    if (address.dataDir === '') rmSync(dataDir, { recursive: true, force: true })
  })

  async function startInstance(changed: Record<string, string> = {}): Promise<Started> {
    const config = readConfig(configTables, { ...environment, ...changed })
    const server = await onceReachable(() =>
      startServer(config, { ...replacements, hashCost: QUICK_HASH, passwordJudge: PASSWORD_JUDGE }),
    )
    servers.push(server)
    return { ...requestsTo(server), startAnother: startInstance }
  }

  const started = await startInstance()
  const { server } = started
  return Object.assign(
    started,
    server.tracks && tracksOf(started),
    server.publications && publicationsOf(server),
    signedIn && requestsTo(server, await signIn(started)),
  ) as StartedService<Name>
}

/**
 * Repeats a start that found the database unreachable: PostgreSQL takes seconds to accept a connection while tests take
 * all cores, which the program rightly does not wait for.
 */
async function onceReachable<Result>(start: () => Promise<Result>): Promise<Result> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await start()
    } catch (error) {
      if (!isDatabaseUnavailable(error) || attempts === START_ATTEMPTS) throw error
      await wait(START_PAUSE_MS)
    }
  }
}

function requestsTo(server: RunningServer, operator = createBrowser(server.url)) {
  const { url, firstStart } = server

  const request: Started['request'] = async (method, path, json, headers = {}) => {
    if (path.startsWith('/operator')) return await operator.request(method, path, json, headers)
    const key = keyFor(path, firstStart)
    return await fetch(url + path, {
      method,
      headers: {
        ...(key === undefined ? {} : { 'X-API-Key': key }),
        ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: json === undefined ? undefined : JSON.stringify(json),
    })
  }

  async function answer<Body>(status: number, method: string, path: string, json?: unknown): Promise<Body> {
    const response = await request(method, path, json)
    const text = await response.text()
    assert.equal(response.status, status, text)
    return (text === '' ? undefined : JSON.parse(text)) as Body
  }

  return { url, server, operator, request, answer }
}

function keyFor(path: string, { event, workspace }: RunningServer['firstStart']): string | undefined {
  if (/^\/(publications|collections)/.test(path)) return workspace?.api_key
  return ['/tracks', '/sync', '/webhooks'].some((start) => path.startsWith(start)) ? event?.token : undefined
}

function tracksOf({ server, request }: Started): Omit<StartedTracks, keyof Started> {
  const { tracks, firstStart } = server
  const { eventTokens } = tracks!.deps
  const { id, token } = firstStart.event!
  async function createEvent(name: string) {
    const created = await eventTokens.create(name)
    return { id: created.id, token: created.token.text }
  }
  async function createToken({ eventId = id, ...grant }: Parameters<StartedTracks['createToken']>[0] = {}) {
    const everything = { permissions: PERMISSIONS, userId: null, expiresAtMs: null, label: null }
    const [issued] = await eventTokens.add(eventId, [{ ...everything, ...grant }])
    return issued.text
  }
  let managing: Promise<string> | undefined
  async function asManager(method: string, path: string, json?: unknown) {
    managing ??= createToken()
    return await request(method, path, json, { 'X-API-Key': await managing })
  }
  return { token, eventId: id, createEvent, createToken, asManager }
}

function publicationsOf({ publications, firstStart }: RunningServer): Omit<StartedPublications, keyof Started> {
  const { workspaceKeys } = publications!.deps
  const { id, api_key } = firstStart.workspace!
  return { apiKey: api_key, workspaceId: id, createWorkspace: (name) => workspaceKeys.create(name) }
}
