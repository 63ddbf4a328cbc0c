import { fileURLToPath } from 'node:url'
import type { NamesByKind } from '#platform/audit/find-name.ts'
import type { NotedRefusal } from '#platform/audit/observe-refusals.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import type { BodyBudget } from '#platform/http/bodies/body-budget.ts'
import type { Logger } from '#platform/logger.ts'
import type { Secrets } from '#platform/security/secret.ts'
import { createOperatorAccounts } from './accounts/operator-accounts.ts'
import { createAuditLog } from './audit/audit-log.ts'
import { createSubjectNames } from './audit/subject-names.ts'
import type { operatorConfig } from './config.ts'
import { createMapPages } from './dashboard/create-map-pages.ts'
import { OWNER } from './domain/operator-rights.ts'
import { SET_UP_LIFETIME_MS } from './factors/second-factors.ts'
import { buildMaps } from './maps/build-maps.ts'
import { buildFactors } from './passkeys/build-factors.ts'
import { createPasswordHasher, type HashCost } from './passwords/password-hasher.ts'
import { createPasswordJudge, type PasswordJudge } from './passwords/password-judge.ts'
import { buildProvider } from './provider/build-provider.ts'
import { createOperatorGuard } from './sessions/create-operator-guard.ts'
import { createHostCookie } from './sessions/host-cookie.ts'
import { createKnownBrowsers } from './sessions/known-browsers.ts'
import { createSealedCookie } from './sessions/sealed-cookie.ts'
import { SessionStreams } from './sessions/session-streams.ts'
import { createAuthentication } from './sign-in/authenticate.ts'
import { createFindRefused } from './sign-in/find-refused.ts'
import { createSecondStep, SECOND_STEP_LIFETIME_MS, type SecondStepState } from './sign-in/second-step.ts'
import { createSignInThrottle, FORGET_AFTER_MS } from './sign-in/sign-in-throttle.ts'
import { createAuditQueries } from './storage/audit-queries.ts'
import { createAuditStore } from './storage/audit-store.ts'
import { createCredentialsStore } from './storage/credentials-store.ts'
import { createFailuresStore } from './storage/failures-store.ts'
import { openOperatorDatabase } from './storage/open-database.ts'
import { createOperatorsStore, type OperatorsStore } from './storage/operators-store.ts'
import type { PasskeysStore } from './storage/passkeys-store.ts'
import { createSessionsStore } from './storage/sessions-store.ts'
import type { OperatorTables } from './storage/tables.ts'

/** Interval at which expired rows are removed. */
const CLEAN_EVERY_MS = 3_600_000

/** Actions in the audit log for refused credentials. */
const REFUSALS: Record<NotedRefusal['kind'], string> = {
  app_token: 'refuseAppToken',
  api_key: 'refuseApiKey',
  share: 'refuseShare',
  signed_address: 'refuseSignedAddress',
}

const DASHBOARD_DIR = fileURLToPath(import.meta.resolve('#project/dist/dashboard'))

export type OperatorServiceOptions = {
  config: Settings<typeof operatorConfig>
  /** Secrets of the installation. */
  secrets: Secrets
  databaseUrl: string
  databaseConnections: number
  copyBeforeUpgrade?: boolean
  programVersion?: string
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
  const auditStore = createAuditStore(database.db)
  await auditStore.keepFor(options.config.auditRetentionMs, now())
  await auditStore.noteRequiredFactor(options.config.requireSecondFactor, now())
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
    /** Adds a credential that another service has refused to the audit log. */
    noteRefusal({ kind, ...refused }: NotedRefusal) {
      deps.audit.refuse({ source: 'api', action: REFUSALS[kind], ...refused })
    },
    /** Removes what interrupted uploads of map files have left; runs by itself every hour. */
    sweepMaps: maps.sweep,
    /**
     * Makes an operator with a sign-in link in an empty database. Of several processes that start at once, one makes
     * it. Returns undefined if an operator exists. The path of the link follows the address of the server.
     */
    async createFirstOperator() {
      if (!(await deps.operators.isEmpty())) return undefined
      return await database.exclusively(async (transaction) => {
        const operators = createOperatorsStore(transaction)
        if (!(await operators.isEmpty())) return undefined
        const { operator, link } = await createOperatorAccounts(operators, now).create('operator', OWNER)
        return { id: operator.id, name: operator.name, link }
      })
    },
    async close() {
      clearInterval(clean)
      deps.sessionStreams.close()
      await deps.audit.close()
      await maps.close()
      await deps.judge.close()
      await database.close()
    },
  }
}

function buildDeps(options: OperatorServiceOptions, database: Database<OperatorTables>) {
  const { secrets, logger, bodyBudget, now } = options
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
  const cookies = { secrets, baseUrl, now }
  const factors = buildFactors({ ...cookies, isFactorRequired: options.config.requireSecondFactor }, database.db)
  const { secondFactors, requiredFactor } = factors
  const auditStore = createAuditStore(database.db)
  const audit = createAuditLog({ store: auditStore, logger, now })
  const subjectNames = createSubjectNames()
  subjectNames.add(namesOf(operators, factors.passkeysStore))
  const recording = { audit, subjectNames }
  return {
    database,
    operators,
    sessions,
    sessionStreams,
    failures,
    ...factors,
    ...buildProvider(options, database.db),
    credentials,
    throttle,
    judge,
    ...recording,
    auditStore,
    auditQueries: createAuditQueries(database.db),
    findRefused: createFindRefused({ operators }),
    cookie,
    knownBrowsers: createKnownBrowsers(cookies),
    accounts: createOperatorAccounts(operators, now),
    authentication: createAuthentication({ operators, credentials, secondFactors, hasher, judge, throttle, now }),
    secondStep: createSecondStep({ operators, credentials, secondFactors, throttle, now }),
    secondStepCookie: createSealedCookie<SecondStepState>('trackpress_second_step', {
      ...cookies,
      lifetimeMs: SECOND_STEP_LIFETIME_MS,
    }),
    guard: createOperatorGuard({
      ...recording,
      sessions,
      sessionStreams,
      cookie,
      requiredFactor,
      site: { baseUrl, dashboardHost },
      now,
    }),
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

/** Returns how to find the names of this service's things. */
function namesOf(operators: OperatorsStore, passkeys: PasskeysStore): NamesByKind {
  return { operator: async (id) => (await operators.find(id))?.name, passkey: (id) => passkeys.nameOf(id) }
}

async function removeExpired(deps: ReturnType<typeof buildDeps>) {
  const { database, operators, sessions, failures, factors, passkeysStore, auditStore, now, logger } = deps
  try {
    await sessions.removeExpired(now())
    await operators.removeExpiredLinks(now())
    await factors.removeUnconfirmed(now() - SET_UP_LIFETIME_MS)
    await passkeysStore.removeOldChallenges(now())
    await failures.removeOld(now() - FORGET_AFTER_MS)
    await auditStore.removeOld(now())
    await database.maintain()
  } catch (err) {
    logger.warn({ err }, 'removing expired sessions, links and sign-in failures failed')
  }
}
