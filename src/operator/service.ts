import { fileURLToPath } from 'node:url'
import type { Kysely } from 'kysely'
import type { Registry } from 'prom-client'
import type { NamesByKind, ValuesByKind } from '#platform/audit/find-name.ts'
import type { NotedRefusal } from '#platform/audit/observe-refusals.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import type { BodyBudget } from '#platform/http/bodies/body-budget.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { openInspection } from '#platform/inspection/open-inspection.ts'
import type { Logger } from '#platform/logger.ts'
import type { Secrets } from '#platform/security/secret.ts'
import { type ServiceUpkeep, UpkeepClock } from '#platform/upkeep/upkeep-clock.ts'
import { createOperatorAccounts } from './accounts/operator-accounts.ts'
import { AuditCheck } from './audit/audit-check.ts'
import { createAuditLog } from './audit/audit-log.ts'
import { recordTokenRequests } from './audit/record-token-requests.ts'
import { createSubjectNames } from './audit/subject-names.ts'
import { keptOperator } from './backup/kept-operator.ts'
import type { operatorConfig } from './config.ts'
import { createMapPages } from './dashboard/create-map-pages.ts'
import { OWNER } from './domain/operator-rights.ts'
import { SET_UP_LIFETIME_MS } from './factors/second-factors.ts'
import { buildMaps } from './maps/build-maps.ts'
import { requireStorable } from './maps/files/require-storable.ts'
import { buildFactors } from './passkeys/build-factors.ts'
import { createPasswordHasher, type HashCost } from './passwords/password-hasher.ts'
import { createPasswordJudge, type PasswordJudge } from './passwords/password-judge.ts'
import { buildProvider } from './provider/build-provider.ts'
import { createOperatorGuard } from './sessions/create-operator-guard.ts'
import { createHostCookie } from './sessions/host-cookie.ts'
import { createKnownBrowsers } from './sessions/known-browsers.ts'
import { rightsJson } from './sessions/rights-json.ts'
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
  /** Gets the metrics of the service. */
  registry: Registry
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
  requireStorable(options.config.maxMapFileBytes, options.blobsUrl)
  const database = await openOperatorDatabase(options)
  const auditStore = createAuditStore(database.db)
  await auditStore.keepFor(options.config.auditRetentionMs, now())
  await auditStore.noteRequiredFactor(options.config.requireSecondFactor, now())
  logProvider(options)
  const maps = buildMaps(options, database)
  const inspection = openInspection({ ...options, kept: keptOperator, db: database.db, blobs: maps.deps.mapBlobs })
  const deps = { ...buildDeps(options, database), ...maps.deps, mapPages: createMapPages(maps.deps), inspection }
  inspection.inspector.start()
  const auditCheck = new AuditCheck({ store: auditStore, registry: options.registry, logger: options.logger, now })
  auditCheck.start()
  const upkeepClock = createUpkeepClock(options, database.db, auditStore)
  const upkeep: ServiceUpkeep = { clock: upkeepClock, run: () => void removeExpired({ ...deps, upkeepClock }) }
  upkeep.run()
  const clean = setInterval(() => {
    upkeep.run()
    void maps.sweep()
  }, CLEAN_EVERY_MS).unref()
  return {
    /** Everything that routes are built from. Each names the few members that it uses. */
    deps,
    upkeep,
    guard: deps.guard,
    mapPages: deps.mapPages,
    /** Records what programs delete with tokens and keys. To be called before any route is added. */
    recordTokens: (app: HttpServer) => recordTokenRequests(app, deps),
    /** Adds a credential that another service has refused to the audit log. */
    noteRefusal({ kind, ...refused }: NotedRefusal) {
      deps.audit.refuse({ source: 'api', action: REFUSALS[kind], ...refused })
    },
    /** Removes what interrupted uploads of map files have left; runs by itself every hour. */
    sweepMaps: maps.sweep,
    /** Checks the chain of the audit log; runs by itself every day. */
    checkAudit: () => auditCheck.check(),
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
      await inspection.inspector.close()
      await auditCheck.close()
      deps.sessionStreams.close()
      await deps.audit.close()
      await maps.close()
      await deps.judge.close()
      await database.close()
    },
  }
}

/** Says at the start what the provider gives to people who are new. */
function logProvider({ config, logger }: Pick<OperatorServiceOptions, 'config' | 'logger'>): void {
  const { oidcIssuer: issuer, oidcNewAccountsReach: newAccountsReach, oidcLocalCredentials: localCredentials } = config
  if (issuer === '') return
  logger.info({ issuer, newAccountsReach, localCredentials }, 'people of the identity provider can sign in')
}

function buildDeps(options: OperatorServiceOptions, database: Database<OperatorTables>) {
  const { secrets, logger, bodyBudget, now } = options
  const { baseUrl, dashboardHost, publicUrl, maxUploadBytes, version, services } = options
  const provided = buildProvider(options, database.db)
  const operators = createOperatorsStore(database.db, provided.providerAccounts)
  const sessions = createSessionsStore(database.db, provided.providerAccounts)
  const credentials = createCredentialsStore(database.db)
  const sessionStreams = new SessionStreams({ sessions, logger, now })
  const cookie = createHostCookie('trackpress_session', baseUrl)
  const hasher = createPasswordHasher(options.hashCost)
  const failures = createFailuresStore(database.db)
  const throttle = createSignInThrottle(failures, now)
  const judge = options.passwordJudge ?? createPasswordJudge()
  const cookies = { secrets, baseUrl, now }
  const factors = buildFactors(
    { ...cookies, ...provided, isFactorRequired: options.config.requireSecondFactor },
    database.db,
  )
  const { secondFactors, requiredFactor } = factors
  const auditStore = createAuditStore(database.db)
  const audit = createAuditLog({ store: auditStore, logger, now })
  const subjectNames = createSubjectNames()
  subjectNames.add(namesOf(operators, factors.passkeysStore), valuesOf(operators, factors.passkeysStore))
  const recording = { audit, subjectNames }
  return {
    database,
    operators,
    sessions,
    sessionStreams,
    failures,
    ...factors,
    ...provided,
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
    ...buildSignIn({ ...provided, ...cookies, operators, credentials, secondFactors, hasher, judge, throttle }),
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

function createUpkeepClock(
  { logger, now, registry }: Pick<OperatorServiceOptions, 'logger' | 'now' | 'registry'>,
  db: Kysely<OperatorTables>,
  auditStore: ReturnType<typeof createAuditStore>,
): UpkeepClock {
  const countOverdue = (nowMs: number) => auditStore.countOld(nowMs)
  return new UpkeepClock({
    db: db as unknown as Kysely<never>,
    service: 'operator',
    logger,
    now,
    registry,
    countOverdue,
  })
}

type SignInParts = Parameters<typeof createAuthentication>[0] &
  Parameters<typeof createSecondStep>[0] & { secrets: Secrets; baseUrl: () => string }

/** Builds what checks passwords, links and the second step. */
function buildSignIn(parts: SignInParts) {
  return {
    authentication: createAuthentication(parts),
    secondStep: createSecondStep(parts),
    secondStepCookie: createSealedCookie<SecondStepState>('trackpress_second_step', {
      secrets: parts.secrets,
      baseUrl: parts.baseUrl,
      now: parts.now,
      lifetimeMs: SECOND_STEP_LIFETIME_MS,
    }),
  }
}

async function rightsOf(operators: OperatorsStore, id: string) {
  const found = (await operators.list()).find((operator) => operator.id === id)
  return found && { ...rightsJson(found.rights) }
}

/** Returns how to find the names of this service's things. */
function namesOf(operators: OperatorsStore, passkeys: PasskeysStore): NamesByKind {
  return { operator: async (id) => (await operators.find(id))?.name, passkey: (id) => passkeys.nameOf(id) }
}

function valuesOf(operators: OperatorsStore, passkeys: PasskeysStore): ValuesByKind {
  return {
    operator: (id) => rightsOf(operators, id),
    passkey: async (id) => ({ name: await passkeys.nameOf(id) }),
  }
}

async function removeExpired(deps: ReturnType<typeof buildDeps> & { upkeepClock: UpkeepClock }) {
  const { database, operators, sessions, failures, factors, passkeysStore, auditStore, upkeepClock, now, logger } = deps
  try {
    if (await upkeepClock.mayDelete()) {
      await sessions.removeExpired(now())
      await operators.removeExpiredLinks(now())
      await factors.removeUnconfirmed(now() - SET_UP_LIFETIME_MS)
      await passkeysStore.removeOldChallenges(now())
      await failures.removeOld(now() - FORGET_AFTER_MS)
      await auditStore.removeOld(now())
    }
    await database.maintain()
  } catch (err) {
    logger.warn({ err }, 'removing expired sessions, links and sign-in failures failed')
  }
}
