import { fileURLToPath } from 'node:url'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import type { BodyBudget } from '#platform/http/bodies/body-budget.ts'
import type { Logger } from '#platform/logger.ts'
import { createOperatorAccounts } from './accounts/operator-accounts.ts'
import type { operatorConfig } from './config.ts'
import { createMapPages } from './dashboard/create-map-pages.ts'
import { buildMaps } from './maps/build-maps.ts'
import { createPasswordHasher, type HashCost } from './passwords/password-hasher.ts'
import { createPasswordJudge, type PasswordJudge } from './passwords/password-judge.ts'
import { createOperatorGuard } from './sessions/create-operator-guard.ts'
import { createHostCookie } from './sessions/host-cookie.ts'
import { createKnownBrowsers } from './sessions/known-browsers.ts'
import { SessionStreams } from './sessions/session-streams.ts'
import { createAuthentication } from './sign-in/authenticate.ts'
import { createSignInThrottle, FORGET_AFTER_MS } from './sign-in/sign-in-throttle.ts'
import { createCredentialsStore } from './storage/credentials-store.ts'
import { createFailuresStore } from './storage/failures-store.ts'
import { openOperatorDatabase } from './storage/open-database.ts'
import { createOperatorsStore } from './storage/operators-store.ts'
import { createSessionsStore } from './storage/sessions-store.ts'
import type { OperatorTables } from './storage/tables.ts'

/** Interval at which expired rows are removed. */
const CLEAN_EVERY_MS = 3_600_000

const DASHBOARD_DIR = fileURLToPath(import.meta.resolve('#project/dist/dashboard'))

export type OperatorServiceOptions = {
  config: Settings<typeof operatorConfig>
  /** Secret of the installation. */
  secret: Buffer
  databaseUrl: string
  databaseConnections: number
  dataDir: string
  /** Store of uploaded map files, as `connectBlobs` takes it. */
  blobsUrl: string
  logger: Logger
  bodyBudget: BodyBudget
  /** Milliseconds since 1970. */
  now: () => number
  /** Returns the public address of the dashboard and its API, known once the server listens. */
  baseUrl: () => string
  /** Host name of the dashboard and its API; undefined if they answer under any name. */
  dashboardHost: string | undefined
  /** Returns the public address of published pages. */
  publicUrl: () => string
  /** Largest PDF that can be uploaded. */
  maxUploadBytes: number
  version: string
  /** The services that run in this process. */
  services: readonly string[]
  /** Folder of the built dashboard; `dist/dashboard` of the program by default. */
  dashboardDir?: string
  /** Cost of a password hash; the recommended cost by default. */
  hashCost?: HashCost
  /** Judge of new passwords; one with a thread of its own by default. */
  passwordJudge?: PasswordJudge
}

/** The running service: everything its routes are built from, and how to close it. */
export type OperatorService = Awaited<ReturnType<typeof startOperatorService>>

/** Builds the service and starts its background work. */
export async function startOperatorService(options: OperatorServiceOptions) {
  const { now } = options
  const database = await openOperatorDatabase(options)
  const maps = buildMaps(options, database)
  const deps = { ...buildDeps(options, database), ...maps.deps, mapPages: createMapPages(maps.deps) }
  void removeExpired(deps)
  const clean = setInterval(() => {
    void removeExpired(deps)
    void maps.sweep()
  }, CLEAN_EVERY_MS).unref()
  return {
    /** Everything that routes are built from. Each names the few members that it uses. */
    deps,
    guard: deps.guard,
    mapPages: deps.mapPages,
    /** Removes what interrupted uploads of map files have left; runs by itself every hour. */
    sweepMaps: maps.sweep,
    /**
     * Makes an operator with a sign-in link in an empty database. Of several processes that start at once, one makes it.
     * Returns undefined if an operator exists. The path of the link follows the address of the server.
     */
    async createFirstOperator() {
      if (!(await deps.operators.isEmpty())) return undefined
      return await database.exclusively(async (transaction) => {
        const operators = createOperatorsStore(transaction)
        if (!(await operators.isEmpty())) return undefined
        const { operator, link } = await createOperatorAccounts(operators, now).create('operator')
        return { id: operator.id, name: operator.name, link }
      })
    },
    async close() {
      clearInterval(clean)
      deps.sessionStreams.close()
      await maps.close()
      await deps.judge.close()
      await database.close()
    },
  }
}

function buildDeps(options: OperatorServiceOptions, database: Database<OperatorTables>) {
  const { secret, logger, bodyBudget, now } = options
  const { baseUrl, dashboardHost, publicUrl, maxUploadBytes, version, services } = options
  const operators = createOperatorsStore(database.db)
  const sessions = createSessionsStore(database.db)
  const credentials = createCredentialsStore(database.db)
  const sessionStreams = new SessionStreams({ sessions, logger, now })
  const cookie = createHostCookie('trackpress_session', baseUrl)
  const hasher = createPasswordHasher(options.hashCost)
  const failures = createFailuresStore(database.db)
  const throttle = createSignInThrottle(failures, now)
  const judge = options.passwordJudge ?? createPasswordJudge()
  return {
    database,
    operators,
    sessions,
    sessionStreams,
    failures,
    judge,
    cookie,
    knownBrowsers: createKnownBrowsers({ secret, baseUrl, now }),
    accounts: createOperatorAccounts(operators, now),
    authentication: createAuthentication({ operators, credentials, hasher, judge, throttle, now }),
    guard: createOperatorGuard({ sessions, sessionStreams, cookie, site: { baseUrl, dashboardHost }, now }),
    logger,
    bodyBudget,
    now,
    baseUrl,
    dashboardHost,
    publicUrl,
    maxUploadBytes,
    version,
    services,
    dashboardDir: options.dashboardDir ?? DASHBOARD_DIR,
  }
}

async function removeExpired({ database, operators, sessions, failures, now, logger }: ReturnType<typeof buildDeps>) {
  try {
    await sessions.removeExpired(now())
    await operators.removeExpiredLinks(now())
    await failures.removeOld(now() - FORGET_AFTER_MS)
    await database.maintain()
  } catch (err) {
    logger.warn({ err }, 'removing expired sessions, links and sign-in failures failed')
  }
}
