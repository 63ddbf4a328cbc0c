import type { Kysely } from 'kysely'
import type { Registry } from 'prom-client'
import type { Settings } from '#platform/basics/config.ts'
import type { Logger } from '#platform/basics/logger.ts'
import type { Secrets } from '#platform/basics/secrets.ts'
import type { NamesByKind, NotedRefusal, ValuesByKind } from '#platform/credentials/audited.ts'
import { createFailuresStore, type FailuresTables } from '#platform/credentials/failures-store.ts'
import { createPasswordHasher, type HashCost } from '#platform/credentials/password-hash.ts'
import { createSignInThrottle, FORGET_AFTER_MS } from '#platform/credentials/sign-in-throttle.ts'
import type { Database } from '#platform/database/database.ts'
import { type Inspection, openInspection } from '#platform/doctor/data-inspector.ts'
import type { BodyBudget } from '#platform/http/body-limits.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { Jobs, ServiceJobs } from '#platform/jobs/jobs.ts'
import { MaintenanceClock, type ServiceMaintenance } from '#platform/jobs/maintenance-clock.ts'
import { buildMaps } from '../maps/build-maps.ts'
import { createMapPages } from '../maps/chosen-map.ts'
import { requireStorable } from '../maps/store-map-file.ts'
import { createOperatorAccounts } from './accounts/operator-accounts.ts'
import { createOperatorsStore, type OperatorsStore } from './accounts/operators-store.ts'
import { createSubjectNames } from './audit/audit-entry.ts'
import { createAuditLog } from './audit/audit-log.ts'
import { createAuditQueries } from './audit/audit-records.ts'
import { createAuditStore } from './audit/audit-store.ts'
import { recordTokenRequests } from './audit/record-requests.ts'
import { AuditCheck } from './audit/verify-audit-log.ts'
import { buildFactors, SET_UP_LIFETIME_MS } from './factors/factors.ts'
import type { PasskeysStore } from './factors/passkeys-store.ts'
import { DASHBOARD_DIR, type operatorConfig } from './model/config.ts'
import { OWNER, rightsJson } from './model/operator-rights.ts'
import { createSessionsStore } from './model/sessions-store.ts'
import type { OperatorTables } from './model/tables.ts'
import { keptOperator, openOperatorDatabase } from './model/tables.ts'
import { createHostCookie, createKnownBrowsers, createSealedCookie } from './sessions/cookies.ts'
import { createOperatorGuard } from './sessions/operator-guard.ts'
import { SessionStreams } from './sessions/session-streams.ts'
import {
  Authentication,
  createFindRefused,
  createPasswordJudge,
  type PasswordJudge,
  SECOND_STEP_LIFETIME_MS,
  type SecondStepState,
} from './sign-in/authenticate.ts'
import { buildProvider } from './sign-in/identity-provider.ts'
import { createSignInStore } from './sign-in/sign-in-store.ts'

/** Actions in the audit log for refused credentials. */
const REFUSALS: Record<NotedRefusal['kind'], string> = {
  app_token: 'refuseAppToken',
  api_key: 'refuseApiKey',
  share: 'refuseShare',
  signed_address: 'refuseSignedAddress',
}

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
  jobs: Jobs
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
  const deps = {
    ...buildDeps(options, database),
    ...maps.deps,
    mapPages: createMapPages(maps.deps.chosenMap),
    inspection,
  }
  const auditCheck = new AuditCheck({ store: auditStore, registry: options.registry, logger: options.logger, now })
  const maintenanceClock = createMaintenanceClock(options, database.db, auditStore)
  const jobs = options.jobs.of('operator')
  addJobs(jobs, { ...deps, maintenanceClock, auditCheck, sweepMaps: maps.sweep })
  const maintenance: ServiceMaintenance = { clock: maintenanceClock, run: () => void jobs.run('operator-cleaning') }
  return {
    /** Everything that routes are built from. Each names the few members that it uses. */
    deps,
    maintenance,
    guard: deps.guard,
    mapPages: deps.mapPages,
    terrain: maps.terrain,
    /** Records deletions by programs with tokens and keys. To be called before any route is added. */
    recordTokens: (app: HttpServer) => recordTokenRequests(app, deps),
    /** Adds a credential that another service has refused to the audit log. */
    noteRefusal({ kind, ...refused }: NotedRefusal) {
      deps.audit.refuse({ source: 'api', action: REFUSALS[kind], ...refused })
    },
    /** Removes the remains of interrupted uploads of map files; runs by itself every hour. */
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
      jobs.stop()
      await inspection.inspector.close()
      await auditCheck.close()
      await deps.audit.close()
      await maps.close()
      await deps.judge.close()
      await jobs.close()
      await database.close()
    },
  }
}

/** Logs at the start which rights the provider gives to new people. */
function logProvider({ config, logger }: OperatorServiceOptions): void {
  const { oidcIssuer: issuer, oidcNewAccountsReach: newAccountsReach, oidcLocalCredentials: localCredentials } = config
  if (issuer === '') return
  logger.info({ issuer, newAccountsReach, localCredentials }, 'people of the identity provider can sign in')
}

function buildDeps(options: OperatorServiceOptions, database: Database<OperatorTables>) {
  const { secrets, logger, now, baseUrl } = options
  const provided = buildProvider(options, database.db)
  const operators = createOperatorsStore(database.db, provided.providerAccounts)
  const sessions = createSessionsStore(database.db, provided.providerAccounts)
  const signInStore = createSignInStore(database.db)
  const sessionStreams = new SessionStreams({ sessions, logger, now })
  const failures = createFailuresStore(database.db as unknown as Kysely<FailuresTables>)
  const throttle = createSignInThrottle(failures, now)
  const judge = options.passwordJudge ?? createPasswordJudge()
  const cookies = { secrets, baseUrl, now }
  const factors = buildFactors(
    { ...cookies, ...provided, isFactorRequired: options.config.requireSecondFactor },
    database.db,
  )
  const auditStore = createAuditStore(database.db)
  const subjectNames = createSubjectNames()
  subjectNames.add(namesOf(options, operators, factors.passkeysStore), valuesOf(operators, factors.passkeysStore))
  const deps = {
    ...options,
    ...factors,
    ...provided,
    operators,
    sessions,
    sessionStreams,
    signInStore,
    throttle,
    judge,
    audit: createAuditLog({ store: auditStore, logger, now }),
    subjectNames,
    cookie: createHostCookie('trackpress_session', baseUrl),
    knownBrowsers: createKnownBrowsers(cookies),
  }
  return {
    ...deps,
    ...buildSignIn({ ...deps, hasher: createPasswordHasher(options.hashCost) }),
    database,
    failures,
    auditStore,
    auditQueries: createAuditQueries(database.db),
    findRefused: createFindRefused(operators),
    accounts: createOperatorAccounts(operators, now),
    guard: createOperatorGuard(deps),
    dashboardDir: options.dashboardDir ?? DASHBOARD_DIR,
  }
}

function createMaintenanceClock(
  { logger, now, registry }: OperatorServiceOptions,
  db: Kysely<OperatorTables>,
  auditStore: ReturnType<typeof createAuditStore>,
): MaintenanceClock {
  const countOverdue = (nowMs: number) => auditStore.countOld(nowMs)
  return new MaintenanceClock({
    db: db as unknown as Kysely<never>,
    service: 'operator',
    logger,
    now,
    registry,
    countOverdue,
  })
}

type SignInParts = ConstructorParameters<typeof Authentication>[0] & { secrets: Secrets; baseUrl: () => string }

/** Builds the checks of passwords, links and the second factor. */
function buildSignIn(parts: SignInParts) {
  return {
    authentication: new Authentication(parts),
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
function namesOf({ jobs }: { jobs: Jobs }, operators: OperatorsStore, passkeys: PasskeysStore): NamesByKind {
  return {
    operator: async (id) => (await operators.find(id))?.name,
    passkey: (id) => passkeys.nameOf(id),
    job: async (name) => jobs.find(name)?.name,
  }
}

function valuesOf(operators: OperatorsStore, passkeys: PasskeysStore): ValuesByKind {
  return {
    operator: (id) => rightsOf(operators, id),
    passkey: async (id) => ({ name: await passkeys.nameOf(id) }),
  }
}

type JobDeps = ReturnType<typeof buildDeps> & {
  maintenanceClock: MaintenanceClock
  auditCheck: AuditCheck
  inspection: Inspection
  sweepMaps(): Promise<void>
}

/** Adds the background jobs of the service. */
function addJobs(jobs: ServiceJobs, deps: JobDeps): void {
  const { audit, auditCheck, inspection, sessionStreams } = deps
  jobs.every('operator-cleaning', {
    everyMs: 3_600_000,
    atStart: true,
    doc: 'Removes expired sessions, links and sign-in failures, and records that were kept long enough.',
    run: () => removeExpired(deps),
  })
  jobs.every('map-file-cleaning', {
    everyMs: 3_600_000,
    doc: 'Removes the remains of interrupted uploads of map files.',
    run: deps.sweepMaps,
  })
  jobs.every('operator-inspection', {
    everyMs: 60_000,
    doc: 'Checks the stored data for damage, slowly and once a day. Each minute, it checks whether that is due.',
    run: () => inspection.inspector.inspect(),
  })
  jobs.every('audit-refusals', {
    everyMs: 60_000,
    doc: 'Adds the counted refusals to the audit log.',
    run: () => audit.flush(),
  })
  jobs.every('audit-check', {
    everyMs: 60_000,
    doc: 'Checks once a day that nobody has changed the audit log. Each minute, it checks whether that is due.',
    isDue: () => auditCheck.isDue,
    run: () => auditCheck.check(),
  })
  jobs.every('session-streams', {
    everyMs: 3_000,
    doc: 'Ends live views of sessions that have ended, or that lost their right, while any is open.',
    isDue: () => sessionStreams.isHolding,
    run: () => sessionStreams.endOrphans(),
  })
}

async function removeExpired(deps: JobDeps): Promise<void> {
  const { database, operators, sessions, failures, factors, passkeysStore, auditStore, maintenanceClock, now } = deps
  if (await maintenanceClock.mayDelete()) {
    await sessions.removeExpired(now())
    await operators.removeExpiredLinks(now())
    await factors.removeUnconfirmed(now() - SET_UP_LIFETIME_MS)
    await passkeysStore.removeOldChallenges(now())
    await failures.removeOld(now() - FORGET_AFTER_MS)
    await auditStore.removeOld(now())
  }
  await database.maintain()
}
