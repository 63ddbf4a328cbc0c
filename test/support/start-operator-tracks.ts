import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '#platform/config.ts'
import { BodyBudget } from '#platform/http/bodies/request-body.ts'
import { createHttpServer } from '#platform/http/server/create-http-server.ts'
import { createHttpMetrics } from '#platform/http/server/metrics.ts'
import type { OperatorGuard } from '#platform/http/server/operator-guard.ts'
import { createLogger } from '#platform/logger.ts'
import { parseDateTime } from '../../src/platform/time/date-time.ts'
import { tracksApi } from '../../src/tracks/api.ts'
import { tracksConfig } from '../../src/tracks/config.ts'
import { tracksOperatorApi } from '../../src/tracks/operator-api.ts'
import { startTracksService, type TracksService } from '../../src/tracks/service.ts'
import type { DatabaseAddress, Owner, TestDatabase } from './databases.ts'

/** The track service with the operator's endpoints, for whose tests nobody has to sign in. */
export type OperatorTracks = {
  url: string
  deps: TracksService['deps']
  address: DatabaseAddress
  /** Sends a request; `json` is the body, and undefined sends none. */
  request(method: string, path: string, json?: unknown, headers?: Record<string, string>): Promise<Response>
  /** The body of the answer to a request that must succeed with this status. */
  answer<Body>(status: number, method: string, path: string, json?: unknown): Promise<Body>
}

type Options = {
  /** Where another instance has its database; a fresh one by default. */
  address?: DatabaseAddress
  guard?: OperatorGuard
  env?: Record<string, string>
}

export const TEST_BASE_URL = 'https://tracks.example.org'

const letPass: OperatorGuard = (app) => {
  app.decorateRequest('operatorId', 'operator')
}

/** Starts the service on a fresh database of the given engine; it is stopped and removed with its owner. */
export async function startOperatorTracks(
  owner: Owner,
  database: TestDatabase,
  { address: given, guard = letPass, env = {} }: Options = {},
): Promise<OperatorTracks> {
  const cleanUps: (() => Promise<void> | void)[] = []
  const address = given ?? (await database.open({ after: (clean) => cleanUps.push(clean) }))
  const dataDir = address.dataDir || mkdtempSync(join(tmpdir(), 'operator-tracks-'))
  const logger = createLogger('silent')
  const metrics = createHttpMetrics()
  const { config } = readConfig({ config: tracksConfig }, { TRACKS_RATE_LIMIT: '0', ...env })
  const app = await createHttpServer({
    logger,
    metrics,
    trustedProxies: [],
    formats: { 'date-time': (text) => parseDateTime(text) !== undefined, uri: URL.canParse, uuid: () => true },
  })
  const service = await startTracksService({
    config,
    databaseUrl: address.url,
    databaseConnections: 10,
    dataDir,
    secret: Buffer.alloc(32),
    baseUrl: () => TEST_BASE_URL,
    logger,
    registry: metrics.registry,
    bodyBudget: new BodyBudget(64 * 1_048_576),
    now: () => Date.now(),
  })
  await tracksApi(app, service)
  await tracksOperatorApi(app, service, guard)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  owner.after(async () => {
    await app.close()
    await service.close()
    for (const clean of cleanUps) await clean()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const request: OperatorTracks['request'] = async (method, path, json, headers = {}) =>
    await fetch(url + path, {
      method,
      headers: { ...(json === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
      body: json === undefined ? undefined : JSON.stringify(json),
    })
  return {
    url,
    deps: service.deps,
    address,
    request,
    async answer(status, method, path, json) {
      const response = await request(method, path, json)
      const text = await response.text()
      if (response.status !== status) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
      return text === '' ? undefined : JSON.parse(text)
    },
  }
}
