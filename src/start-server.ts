import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { logRefusals, observeRefusals } from '#platform/audit/observe-refusals.ts'
import { requireFinishedRestore } from '#platform/backup/contents/unfinished-restore.ts'
import { ownBuild } from '#platform/build/own-build.ts'
import { isDatabaseUnavailable } from '#platform/database/database-failure.ts'
import type { ReachedDatabase } from '#platform/database/open/reached-database.ts'
import { doctorRoutes } from '#platform/doctor/doctor-routes.ts'
import { collectCspReports } from '#platform/http/csp/csp-reports.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { createHttpServer } from '#platform/http/server/create-http-server.ts'
import { healthRoutes, type ReadinessCheck } from '#platform/http/server/health.ts'
import { createHttpMetrics } from '#platform/http/server/metrics.ts'
import { serveSecurityTxt } from '#platform/http/server/security-txt.ts'
import { startWaitingServer } from '#platform/http/server/waiting-server.ts'
import { shareEventStreams } from '#platform/http/streams/event-stream.ts'
import { createLogger, type Logger } from '#platform/logger.ts'
import { readSecrets } from '#platform/security/read-secrets.ts'
import { parseDateTime } from '#platform/time/date-time.ts'
import { startTracing } from '#platform/tracing/start-tracing.ts'
import type { ResolveName } from '#platform/webhooks/sending/resolve-name.ts'
import packageJson from '#project/package.json' with { type: 'json' }
import { describeServices } from './describe-services.ts'
import { type FirstStart, makeFirstStart } from './first-start.ts'
import type { OperatorServiceOptions } from './operator/service.ts'
import { addSubjectNames, type Config, type Services, startServices } from './start-services.ts'

/** A running process: its address, and how to stop it. */
export type RunningServer = Pick<Services, 'secrets' | 'tracks' | 'publications' | 'operator'> & {
  app: HttpServer
  url: string
  logger: Logger
  firstStart: FirstStart
  /** Stops accepting, finishes what is in flight, breaks off what takes too long, lets go of everything. */
  close(): Promise<void>
}

/** Time for requests in flight to finish when stopping; a stalled client must not hold the process. */
const FINISH_WITHIN_MS = 5000

const VERSION = packageJson.version

/** Replacements for what the program otherwise takes from its surroundings, for tests. */
export type ServerReplacements = Pick<OperatorServiceOptions, 'dashboardDir' | 'hashCost' | 'passwordJudge'> & {
  logger?: Logger
  now?: () => number
  resolveName?: ResolveName
}

/** Interval of attempts to reach a database that is away at the start. */
const PROBE_EVERY_MS = 1000

/** Starts the server, and traces if the settings name a collector. */
export async function startServer(config: Config, replacements: ServerReplacements = {}): Promise<RunningServer> {
  const { logger = createLogger(config.platform.logLevel) } = replacements
  // First, so that everything that is built can be traced.
  const tracing = await startTracing({ config: config.tracing, version: VERSION, logger })
  if (tracing === undefined) return await startOnDatabase(config, { ...replacements, logger })
  const server = await startOnDatabase(config, { ...replacements, logger }).catch(async (error) => {
    await tracing.stop()
    throw error
  })
  return {
    ...server,
    async close() {
      await server.close()
      await tracing.stop()
    },
  }
}

/**
 * Starts the server. If the database is away and was reached with the same settings before, answers 503 and goes on by
 * itself when it is back. At the first start, its absence is an error, because the settings may be wrong.
 */
async function startOnDatabase(
  config: Config,
  replacements: ServerReplacements & { logger: Logger },
): Promise<RunningServer> {
  const { databaseUrl, dataDir } = config.platform
  const { logger } = replacements
  const start = (port = config.platform.port) => buildServer(config, replacements, port)
  requireFinishedRestore(dataDir)
  if (databaseUrl === '') return await start()
  const { reachedDatabase } = await import('#platform/database/open/reached-database.ts')
  const reached = reachedDatabase(databaseUrl, dataDir, readSecrets(config.platform))
  let port: number | undefined
  for (;;) {
    try {
      const server = await start(port)
      await reached.remember().catch((err) => logger.warn({ err }, 'the data folder cannot be written'))
      return server
    } catch (error) {
      if (!isDatabaseUnavailable(error) || !(await reached.isKnown())) throw error
      port = await waitForDatabase(config, reached, logger, error)
    }
  }
}

/** Answers 503 until the database can be used. Returns the port that it answered on. */
async function waitForDatabase(
  { platform: { port, host } }: Config,
  reached: ReachedDatabase,
  logger: Logger,
  failure: Error,
): Promise<number> {
  let reason = failure.message
  logger.warn({ reason }, 'waiting for the database')
  const waiting = await startWaitingServer({ logger, port, host, name: 'database', reason: () => reason })
  for (;;) {
    await wait(PROBE_EVERY_MS)
    try {
      await reached.probe()
      await waiting.close()
      return waiting.port
    } catch (error) {
      reason = (error as Error).message
    }
  }
}

/** Builds everything from the settings, in the order of its dependencies, and starts to listen. */
async function buildServer(
  config: Config,
  replacements: ServerReplacements & { logger: Logger },
  port: number,
): Promise<RunningServer> {
  const { platform } = config
  const { logger, now = () => Date.now(), dashboardDir, hashCost, passwordJudge, resolveName } = replacements
  const metrics = createHttpMetrics()
  const app = await createHttpServer({
    logger,
    metrics,
    trustedProxies: platform.trustedProxies,
    formats: { 'date-time': (text) => parseDateTime(text) !== undefined, uri: isWebAddress, uuid: () => true },
    connectionsPerAddress: platform.connectionsPerAddress,
    streamLimits: { total: platform.liveStreams, perCaller: platform.liveStreamsPerAddress },
    logRequests: platform.logRequests,
    logAddresses: platform.logAddresses,
  })
  let url = ''
  const base = () => platform.baseUrl || url
  const addresses = {
    base,
    public: () => config.publications.publicUrl || base(),
    cdn: () => config.publications.cdnUrl || base(),
  }
  let webhooks: Record<string, object> = {}
  await describeServices(app, { version: VERSION, services: platform.services, base, webhooks: () => webhooks })
  const { registry } = metrics
  const shared = {
    version: VERSION,
    logger,
    registry,
    now,
    addresses,
    dashboardDir,
    hashCost,
    passwordJudge,
    resolveName,
  }
  const parts = await startServices(config, shared).catch(async (error) => {
    await app.close()
    throw error
  })
  const exchange = parts.tracks?.deps.limitExchange ?? parts.publications?.deps.limitExchange
  if (exchange !== undefined) shareEventStreams(app, exchange.share('live streams', platform.liveStreamsPerAddress))
  try {
    collectCspReports(app, { registry, logger })
    observeRefusals(app, { registry, note: parts.operator?.noteRefusal ?? logRefusals(logger) })
    webhooks = await addRoutes(app, parts)
    serveSecurityTxt(app, { contacts: platform.securityContact, baseUrl: platform.baseUrl, now })
    healthRoutes(app, readinessOf(parts), metrics)
    doctorRoutes(app, { version: VERSION, build: ownBuild(), secrets: parts.secrets, now })
    await app.listen({ port, host: platform.host })
    url = addressOf(app, platform.host)
    // Last: what it makes is shown once, and a start that fails, as on a port in use, shows nothing.
    const firstStart = await makeFirstStart(parts)
    return {
      ...parts,
      app,
      url,
      logger,
      firstStart,
      async close() {
        const impatience = setTimeout(() => app.server.closeAllConnections(), FINISH_WITHIN_MS)
        await app.close()
        clearTimeout(impatience)
        await parts.close()
      },
    }
  } catch (error) {
    await app.close()
    await parts.close()
    throw error
  }
}

/**
 * Adds the routes of what runs here, of which alone the code is loaded.
 * @returns the requests that its webhooks get, for the API description
 */
async function addRoutes(app: HttpServer, parts: Services): Promise<Record<string, object>> {
  const { tracks, publications, operator } = parts
  const webhooks: Record<string, object> = {}
  if (tracks !== undefined) {
    const { tracksApi } = await import('./tracks/api.ts')
    const { trackMessages } = await import('./tracks/webhooks/track-messages.ts')
    await tracksApi(app, tracks)
    Object.assign(webhooks, trackMessages)
  }
  if (publications !== undefined) {
    const { publicationsApi } = await import('./publications/api.ts')
    const { publicationMessages } = await import('./publications/webhooks/publication-messages.ts')
    await publicationsApi(app, publications.deps)
    Object.assign(webhooks, publicationMessages)
  }
  if (operator === undefined) return webhooks
  await addSubjectNames(parts)
  const { operatorApi } = await import('./operator/api.ts')
  await operatorApi(app, operator, {
    events: tracks && (async (id) => (await tracks.deps.events.find(id)) !== undefined),
    workspaces: publications && (async (id) => (await publications.deps.workspaces.find(id)) !== undefined),
  })
  if (tracks !== undefined) {
    const { tracksOperatorApi } = await import('./tracks/operator-api.ts')
    await tracksOperatorApi(app, tracks, operator.guard, operator.mapPages)
  }
  if (publications !== undefined) {
    const { publicationsOperatorApi } = await import('./publications/operator-api.ts')
    await publicationsOperatorApi(app, publications.deps, operator.guard)
  }
  return webhooks
}

function readinessOf({ tracks, publications, operator }: Services): ReadinessCheck[] {
  return [
    ...(tracks === undefined
      ? []
      : [{ service: 'tracks', name: 'tracks database', check: () => tracks.deps.database.check() }]),
    ...(publications === undefined
      ? []
      : [
          { service: 'publications', name: 'publications database', check: () => publications.deps.database.check() },
          { service: 'publications', name: 'stored files', check: () => publications.deps.blobs.check() },
        ]),
    ...(operator === undefined
      ? []
      : [{ service: 'dashboard', name: 'operator database', check: () => operator.deps.database.check() }]),
  ]
}

function addressOf(app: HttpServer, host: string): string {
  const { port } = app.server.address() as AddressInfo
  const shown = ['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host) ? 'localhost' : host
  return `http://${shown}:${port}`
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && ['http:', 'https:'].includes(url.protocol) && /^https?:\/\//i.test(text)
}
