import type { AddressInfo } from 'node:net'
import type { Settings } from '#platform/config.ts'
import { describeApi } from '#platform/http/api-description.ts'
import { createHttpServer } from '#platform/http/create-http-server.ts'
import { healthRoutes } from '#platform/http/health.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { createHttpMetrics } from '#platform/http/metrics.ts'
import { BodyBudget } from '#platform/http/request-body.ts'
import { createLogger, type Logger } from '#platform/logger.ts'
import type { platformConfig } from '#platform/platform-config.ts'
import { deriveKey, readSecret } from '#platform/security/secret.ts'
import { tracksApi } from './tracks/api.ts'
import type { tracksConfig } from './tracks/config.ts'
import { parseDateTime } from './tracks/domain/date-time.ts'
import { createEventTokens } from './tracks/event-tokens.ts'
import { startTracksService, type TracksService } from './tracks/service.ts'
import { createEventsStore } from './tracks/storage/events-store.ts'
import { tracksTags } from './tracks/tags.ts'

export type Config = { platform: Settings<typeof platformConfig>; tracks: Settings<typeof tracksConfig> }

/** A running process: its address, and how to stop it. */
export type RunningServer = {
  app: HttpServer
  url: string
  logger: Logger
  tracks: TracksService | undefined
  /** What the first start made, with secrets in plain text; undefined on later starts. */
  firstStart: { event: { id: string; name: string; token: string } } | undefined
  /** Stops accepting, finishes what is in flight, breaks off what takes too long, lets go of everything. */
  close(): Promise<void>
}

/** Memory that JSON bodies under way may take together. */
const BODY_BUDGET_BYTES = 512 * 1_048_576

/** When stopping, requests under way get this long to finish; a client that has stalled must not hold the process. */
const FINISH_WITHIN_MS = 5000

const VERSION = '0.1.0'

/** Builds everything from the settings, in the order of its dependencies, and starts to listen. */
export async function startServer(config: Config): Promise<RunningServer> {
  const { platform } = config
  const logger = createLogger(platform.logLevel)
  const secret = readSecret(platform.secretKey, platform.dataDir)
  const metrics = createHttpMetrics()
  const now = () => Date.now()
  const app = await createHttpServer({
    logger,
    metrics,
    trustedProxies: platform.trustedProxies,
    formats: { 'date-time': (text) => parseDateTime(text) !== undefined, uri: isWebAddress, uuid: () => true },
  })
  let url = ''
  await describeApi(app, {
    title: 'Trackpress',
    version: VERSION,
    description: 'Recording of GPS tracks: what a phone sends, kept and summed up.',
    baseUrl: () => platform.baseUrl || url,
    tags: platform.services.includes('tracks') ? tracksTags : [],
  })

  const tracks = platform.services.includes('tracks')
    ? await startTracksService({
        config: config.tracks,
        databaseUrl: platform.databaseUrl,
        databaseConnections: platform.databaseConnections,
        dataDir: platform.dataDir,
        logger,
        registry: metrics.registry,
        bodyBudget: new BodyBudget(BODY_BUDGET_BYTES),
        now,
      })
    : undefined
  try {
    const firstStart = tracks && (await makeFirstEvent(tracks, deriveKey(secret, 'app tokens')))
    if (tracks !== undefined) await tracksApi(app, tracks.deps)
    healthRoutes(
      app,
      tracks === undefined ? [] : [{ name: 'tracks database', check: () => tracks.deps.database.check() }],
      metrics,
    )
    await app.listen({ port: platform.port, host: platform.host })
    url = addressOf(app, platform.host)
    return {
      app,
      url,
      logger,
      tracks,
      firstStart,
      async close() {
        const impatience = setTimeout(() => app.server.closeAllConnections(), FINISH_WITHIN_MS)
        await app.close()
        clearTimeout(impatience)
        await tracks?.close()
      },
    }
  } catch (error) {
    await app.close()
    await tracks?.close()
    throw error
  }
}

/** An empty installation gets an event, so that a phone can be tried at once; of processes that start at once, one makes it. */
async function makeFirstEvent({ deps }: TracksService, tokenKey: Buffer) {
  const { database, now } = deps
  if (!(await deps.events.isEmpty())) return undefined
  return await database.exclusively(async (transaction) => {
    const events = createEventsStore(transaction)
    if (!(await events.isEmpty())) return undefined
    const eventTokens = createEventTokens({ events, notices: database.notices, tokenKey, now })
    return { event: await eventTokens.create('Default') }
  })
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
