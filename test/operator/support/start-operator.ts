import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '#platform/config.ts'
import { BodyBudget } from '#platform/http/bodies/request-body.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { createHttpServer } from '#platform/http/server/create-http-server.ts'
import { createHttpMetrics } from '#platform/http/server/metrics.ts'
import { createLogger, type Logger } from '#platform/logger.ts'
import { operatorApi } from '../../../src/operator/api.ts'
import { operatorConfig } from '../../../src/operator/config.ts'
import { type OperatorService, startOperatorService } from '../../../src/operator/service.ts'
import { type Browser, createBrowser } from '../../support/browser.ts'
import type { DatabaseAddress, Owner, TestDatabase } from '../../support/databases.ts'

/** Real hashes, but quick ones: what they cost by default is not what these tests are about. */
const QUICK_HASH = { memoryKib: 64, passes: 1, lanes: 1 }

export type OperatorOptions = {
  /** Settings by their variables. */
  env?: Record<string, string>
  baseUrl?: string
  trustedProxies?: string[]
  dashboardDir?: string
  logger?: Logger
  /** Adds routes of another part, as a service does that is handed the guard. */
  addRoutes?: (server: HttpServer, service: OperatorService) => void
}

/** The operators' part alone on a real port and a real database, with a clock that a test can set forward. */
export type StartedOperator = {
  url: string
  service: OperatorService
  /** Token of the link that the first start made. */
  firstLink: string
  clock: { nowMs: number }
  /** A browser that nobody is signed in with. */
  browser(): Browser
  /** A browser in which the first operator is signed in, by the first link. */
  signedIn(): Promise<Browser>
  /** Another instance on the same database. */
  startAnother(): Promise<StartedOperator>
}

export const PASSWORD = 'a quiet lake at dawn'

/** Starts it on a fresh database of the given engine; it is stopped and removed with its owner. */
export async function startOperator(
  owner: Owner,
  database: TestDatabase,
  options: OperatorOptions = {},
): Promise<StartedOperator> {
  const cleanUps: (() => Promise<void> | void)[] = []
  const address = await database.open({
    after: (clean) => cleanUps.push(clean),
    get passed() {
      return owner.passed
    },
  })
  // Owners clean up in the order they were told to, and what uses the database ends before it.
  const instances: (() => Promise<void>)[] = []
  owner.after(async () => {
    for (const close of instances) await close()
    for (const clean of cleanUps) await clean()
  })
  return await startInstance(instances, address, options, { nowMs: Date.now() })
}

async function startInstance(
  instances: (() => Promise<void>)[],
  address: DatabaseAddress,
  options: OperatorOptions,
  clock: { nowMs: number },
): Promise<StartedOperator> {
  const logger = options.logger ?? createLogger('silent')
  const emptyDir = mkdtempSync(join(tmpdir(), 'dashboard-'))
  const server = await createHttpServer({
    logger,
    metrics: createHttpMetrics(),
    trustedProxies: options.trustedProxies ?? [],
    formats: { 'date-time': () => true, uuid: () => true },
  })
  let url = ''
  const service = await startOperatorService({
    config: readConfig({ operator: operatorConfig }, options.env ?? {}).operator,
    databaseUrl: address.url,
    databaseConnections: 4,
    dataDir: address.dataDir,
    logger,
    bodyBudget: new BodyBudget(1_048_576),
    now: () => clock.nowMs,
    baseUrl: () => options.baseUrl ?? url,
    otherUrls: () => [],
    publicUrl: () => 'https://public.example.org',
    maxUploadBytes: 1_000_000,
    version: '0.0.0',
    services: ['tracks'],
    dashboardDir: options.dashboardDir ?? emptyDir,
    hashCost: QUICK_HASH,
  })
  instances.push(async () => {
    await server.close()
    await service.close()
    rmSync(emptyDir, { recursive: true, force: true })
  })
  const first = await service.createFirstOperator()
  await operatorApi(server, service)
  options.addRoutes?.(server, service)
  await server.listen({ port: 0, host: '127.0.0.1' })
  url = `http://localhost:${(server.server.address() as AddressInfo).port}`

  const firstLink = first?.link.path.split('#token=')[1] ?? ''
  const browser = () => createBrowser(url)
  return {
    url,
    service,
    firstLink,
    clock,
    browser,
    async signedIn() {
      const fresh = browser()
      await fresh.request('POST', '/operator/sign-in-link', { token: firstLink, password: PASSWORD })
      return fresh
    },
    startAnother: () => startInstance(instances, address, options, clock),
  }
}
