import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { requireFinishedRestore } from '#platform/backup/unfinished-restore.ts'
import { ownBuild, programVersion } from '#platform/basics/build.ts'
import { notFound } from '#platform/basics/errors.ts'
import { createLogger, type Logger } from '#platform/basics/logger.ts'
import { readSecrets } from '#platform/basics/secrets.ts'
import { parseDateTime } from '#platform/basics/time.ts'
import { type BlobStore, checkBlobWrite } from '#platform/blobs/blob-store.ts'
import { logRefusals, observeRefusals } from '#platform/credentials/audited.ts'
import type { Database } from '#platform/database/database.ts'
import { isDatabaseUnavailable } from '#platform/database/database-failure.ts'
import type { KnownDatabase } from '#platform/database/postgres-pool.ts'
import { doctorRoutes } from '#platform/doctor/doctor-routes.ts'
import { loggedAddress } from '#platform/http/client.ts'
import { createHttpServer } from '#platform/http/create-http-server.ts'
import { shareEventStreams } from '#platform/http/event-stream.ts'
import { healthRoutes, type ReadinessCheck, startWaitingServer } from '#platform/http/health.ts'
import { createHttpMetrics } from '#platform/http/http-metrics.ts'
import type { BeforeRouting, HttpServer } from '#platform/http/http-server.ts'
import { serveSecurityTxt } from '#platform/http/security-txt.ts'
import { Jobs } from '#platform/jobs/jobs.ts'
import { startTracing } from '#platform/tracing/start-tracing.ts'
import type { ResolveName } from '#platform/webhooks/address-policy.ts'
import packageJson from '#project/package.json' with { type: 'json' }
import {
  addSubjectNames,
  type Config,
  describeServices,
  type FirstStart,
  makeFirstStart,
  type OperatorReplacements,
  type Services,
  startServices,
} from './services.ts'

/** A running process: its address, and how to stop it. */
export type RunningServer = Pick<Services, 'secrets' | 'tracks' | 'publications' | 'operator'> & {
  app: HttpServer
  url: string
  version: string
  logger: Logger
  firstStart: FirstStart
  /** Stops accepting, finishes requests in flight, breaks off slow ones, and releases everything. */
  close(): Promise<void>
}

/** Time for requests in flight to finish when stopping; a stalled client must not hold the process. */
const FINISH_WITHIN_MS = 5000

const NUMBER = packageJson.version
const VERSION = programVersion(NUMBER)

/** Replacements for the surroundings of the program, for tests. */
export type ServerReplacements = OperatorReplacements & {
  logger?: Logger
  now?: () => number
  resolveName?: ResolveName
}

/** Interval of attempts to reach a database that is away at the start. */
const PROBE_EVERY_MS = 1000

/** Starts the server, and traces if the settings name a collector. */
export async function startServer(config: Config, replacements: ServerReplacements = {}): Promise<RunningServer> {
  const { logLevel, logAddresses } = config.platform
  const { logger = createLogger(logLevel, (address) => loggedAddress(address, logAddresses)) } = replacements
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
  const { knownDatabase } = await import('#platform/database/postgres-pool.ts')
  const known = knownDatabase(databaseUrl, dataDir, readSecrets(config.platform))
  let port: number | undefined
  for (;;) {
    try {
      const server = await start(port)
      await known.remember().catch((err) => logger.warn({ err }, 'the data folder cannot be written'))
      return server
    } catch (error) {
      if (!isDatabaseUnavailable(error) || !(await known.isKnown())) throw error
      port = await waitForDatabase(config, known, logger, error)
    }
  }
}

/** Answers 503 until the database can be used. Returns the port that it answered on. */
async function waitForDatabase(
  { platform: { port, host } }: Config,
  known: KnownDatabase,
  logger: Logger,
  failure: Error,
): Promise<number> {
  let reason = failure.message
  logger.warn({ reason }, 'waiting for the database')
  const waiting = await startWaitingServer({ logger, port, host, name: 'database', reason: () => reason })
  for (;;) {
    await wait(PROBE_EVERY_MS)
    try {
      await known.probe()
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
  // Looked up at each call, so that a replaced clock counts.
  const { logger, now = () => Date.now() } = replacements
  const metrics = createHttpMetrics()
  let routeByHost: BeforeRouting | undefined
  const app = await createHttpServer({
    logger,
    metrics,
    trustedProxies: platform.trustedProxies,
    formats: { 'date-time': (text) => parseDateTime(text) !== undefined, uri: isWebAddress, uuid: () => true },
    connectionsPerAddress: platform.connectionsPerAddress,
    streamLimits: { total: platform.liveStreams, perCaller: platform.liveStreamsPerAddress },
    logRequests: platform.logRequests,
    beforeRouting: (request) => routeByHost?.(request),
  })
  let url = ''
  const base = () => platform.baseUrl || url
  const addresses = {
    base,
    public: () => config.publications.publicUrl || base(),
    cdn: () => config.publications.cdnUrl || base(),
  }
  let webhooks: Record<string, object> = {}
  await describeServices(app, { version: NUMBER, services: platform.services, base, webhooks: () => webhooks })
  const { registry } = metrics
  const jobs = new Jobs({ logger, registry, now })
  const shared = { ...replacements, version: VERSION, registry, jobs, now, addresses }
  const parts = await startServices(config, shared).catch(async (error) => {
    await app.close()
    throw error
  })
  if (parts.publications !== undefined) {
    const ownHosts = await import('./publications/shelf/own-hosts.ts')
    routeByHost = ownHosts.routeByHost(parts.publications.deps, platform.trustedProxies)
  }
  const exchange = parts.tracks?.deps.limitExchange ?? parts.publications?.deps.limitExchange
  if (exchange !== undefined) shareEventStreams(app, exchange.share('live streams', platform.liveStreamsPerAddress))
  try {
    observeRefusals(app, { registry, note: parts.operator?.noteRefusal ?? logRefusals(logger) })
    webhooks = await addRoutes(app, parts)
    serveSecurityTxt(app, { contacts: platform.securityContact, baseUrl: platform.baseUrl, now })
    healthRoutes(app, readinessOf(parts), metrics)
    doctorRoutes(app, { version: VERSION, build: ownBuild(), secrets: parts.secrets, now })
    await app.listen({ port, host: platform.host })
    url = addressOf(app, platform.host)
    // Last: the first token and link are shown once, and a start that fails, as on a port in use, shows nothing.
    const firstStart = await makeFirstStart(parts)
    return {
      ...parts,
      app,
      url,
      version: VERSION,
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
 * Adds the routes of the services that run here, and loads only their code.
 * @returns the requests that its webhooks get, for the API description
 */
async function addRoutes(app: HttpServer, parts: Services): Promise<Record<string, object>> {
  const { tracks, publications, operator } = parts
  const webhooks: Record<string, object> = {}
  operator?.recordTokens(app)
  if (tracks !== undefined) {
    const { tracksApi } = await import('./tracks/api.ts')
    const { trackMessages } = await import('./tracks/api/webhooks.ts')
    await tracksApi(app, tracks)
    Object.assign(webhooks, trackMessages)
  }
  if (publications !== undefined) {
    const { publicationsApi } = await import('./publications/api.ts')
    const { publicationMessages } = await import('./publications/library/webhooks.ts')
    await publicationsApi(app, publications.deps)
    Object.assign(webhooks, publicationMessages)
  }
  const readersHome = publications && (await import('./publications/shelf/shelf-routes.ts')).homeOfReaders
  const home = readersHome && (() => readersHome(publications.deps))
  if (operator === undefined) {
    if (home !== undefined) leadReaders(app, home)
    return webhooks
  }
  await addSubjectNames(parts)
  tracks?.deps.terrain.connect(operator.terrain)
  const { operatorApi } = await import('./operator/api.ts')
  const known = {
    events: tracks && (async (id: string) => (await tracks.deps.events.find(id)) !== undefined),
    workspaces: publications && (async (id: string) => (await publications.deps.workspaces.find(id)) !== undefined),
  }
  const maintenance = [tracks, publications, operator].flatMap((service) => service?.maintenance ?? [])
  await operatorApi(app, operator, known, maintenance, home)
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

/** Leads readers who come to `/` to a shelf, where no dashboard is. */
function leadReaders(app: HttpServer, home: () => Promise<string | undefined>): void {
  app.get('/', { schema: { hide: true } }, async (_request, reply) => {
    const address = await home()
    if (address === undefined) throw notFound()
    return reply.header('cache-control', 'no-store').redirect(address, 302)
  })
}

/** Time between writes of readiness checks, which a bucket charges for. */
const DATABASE_WRITTEN_FOR_MS = 5_000
const FILES_WRITTEN_FOR_MS = 60_000

function readinessOf({ tracks, publications, operator }: Services): ReadinessCheck[] {
  return [
    ...(tracks === undefined ? [] : [databaseCheck('tracks', 'tracks database', tracks.deps.database)]),
    ...(publications === undefined
      ? []
      : [
          databaseCheck('publications', 'publications database', publications.deps.database),
          filesCheck(publications.deps.blobs),
        ]),
    ...(operator === undefined ? [] : [databaseCheck('dashboard', 'operator database', operator.deps.database)]),
  ]
}

function databaseCheck<Tables>(service: string, name: string, database: Database<Tables>): ReadinessCheck {
  return {
    service,
    name,
    check: () => database.check(),
    checkWrite: () => database.checkWrite(),
    writtenForMs: DATABASE_WRITTEN_FOR_MS,
  }
}

function filesCheck(blobs: BlobStore): ReadinessCheck {
  return {
    service: 'publications',
    name: 'stored files',
    check: () => blobs.check(),
    checkWrite: () => checkBlobWrite(blobs),
    writtenForMs: blobs.kind === 'S3' ? FILES_WRITTEN_FOR_MS : DATABASE_WRITTEN_FOR_MS,
  }
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
