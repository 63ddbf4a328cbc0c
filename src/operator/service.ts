import { fileURLToPath } from 'node:url'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/connect.ts'
import type { OperatorGuard } from '#platform/http/server/operator-guard.ts'
import { createOperatorAccounts, type SignInLink } from './accounts/operator-accounts.ts'
import type { operatorConfig } from './config.ts'
import type { OperatorDeps } from './deps.ts'
import { createPasswordHasher, type HashCost } from './passwords/password-hasher.ts'
import { createOperatorGuard } from './sessions/create-operator-guard.ts'
import { createSessionCookie } from './sessions/session-cookie.ts'
import { SessionStreams } from './sessions/session-streams.ts'
import { createSigningIn } from './sign-in/authenticate.ts'
import { createSignInThrottle, FORGOTTEN_AFTER_MS } from './sign-in/sign-in-throttle.ts'
import { createCredentialsStore } from './storage/credentials-store.ts'
import { createFailuresStore } from './storage/failures-store.ts'
import { openOperatorDatabase } from './storage/open-database.ts'
import { createOperatorsStore } from './storage/operators-store.ts'
import { createSessionsStore } from './storage/sessions-store.ts'
import type { OperatorTables } from './storage/tables.ts'

/** How often what has expired is removed. */
const CLEAN_EVERY_MS = 3_600_000

/** Where the web pages are built to, beside the sources. */
const DASHBOARD_DIR = fileURLToPath(new URL('../../dist/dashboard', import.meta.url))

export type OperatorServiceOptions = Pick<
  OperatorDeps,
  'logger' | 'bodyBudget' | 'now' | 'baseUrl' | 'otherUrls' | 'publicUrl' | 'maxUploadBytes' | 'version' | 'services'
> & {
  config: Settings<typeof operatorConfig>
  databaseUrl: string
  databaseConnections: number
  dataDir: string
  /** Folder of the built dashboard; `dist/dashboard` of the program by default. */
  dashboardDir?: string
  /** What a password hash costs; the recommended cost by default. */
  hashCost?: HashCost
}

/** The part with everything it is built from, and the way to end it. */
export type OperatorService = {
  deps: OperatorDeps
  guard: OperatorGuard
  /**
   * An empty installation gets an operator and the link to sign in; of processes that start at once, one makes it.
   * Undefined where there is an operator. The path is to be put behind the address of the server.
   */
  createFirstOperator(): Promise<{ id: string; name: string; link: SignInLink } | undefined>
  close(): Promise<void>
}

/** Builds what operators sign in with, and starts its background work. */
export async function startOperatorService(options: OperatorServiceOptions): Promise<OperatorService> {
  const { now } = options
  const database = await openOperatorDatabase(options)
  const deps = buildDeps(options, database)
  void removeExpired(deps)
  const clean = setInterval(() => void removeExpired(deps), CLEAN_EVERY_MS).unref()
  return {
    deps,
    guard: deps.guard,
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
      await database.close()
    },
  }
}

function buildDeps(options: OperatorServiceOptions, database: Database<OperatorTables>): OperatorDeps {
  const { config, logger, bodyBudget, now, baseUrl, otherUrls, publicUrl, maxUploadBytes, version, services } = options
  const operators = createOperatorsStore(database.db)
  const sessions = createSessionsStore(database.db)
  const credentials = createCredentialsStore(database.db)
  const sessionStreams = new SessionStreams({ sessions, logger, now })
  const cookie = createSessionCookie(baseUrl)
  const hasher = createPasswordHasher(options.hashCost)
  const failures = createFailuresStore(database.db)
  const throttle = createSignInThrottle(failures, now)
  return {
    database,
    operators,
    sessions,
    sessionStreams,
    failures,
    cookie,
    accounts: createOperatorAccounts(operators, now),
    signingIn: createSigningIn({ operators, credentials, hasher, throttle, now }),
    guard: createOperatorGuard({ sessions, sessionStreams, cookie, sites: { baseUrl, otherUrls }, now }),
    logger,
    bodyBudget,
    now,
    baseUrl,
    otherUrls,
    publicUrl,
    maxUploadBytes,
    version,
    services,
    mapStyleUrl: config.mapStyleUrl,
    mapOrigins: config.mapOrigins,
    dashboardDir: options.dashboardDir ?? DASHBOARD_DIR,
  }
}

async function removeExpired({ operators, sessions, failures, now, logger }: OperatorDeps): Promise<void> {
  try {
    await sessions.removeExpired(now())
    await operators.removeExpiredLinks(now())
    await failures.removeOld(now() - FORGOTTEN_AFTER_MS)
  } catch (err) {
    logger.warn({ err }, 'removing what has expired failed')
  }
}
