import type { Kysely } from 'kysely'
import type { Registry } from 'prom-client'
import type { Settings } from '#platform/basics/config.ts'
import type { Logger } from '#platform/basics/logger.ts'
import type { Secrets } from '#platform/basics/secrets.ts'
import { createCredentialLookup } from '#platform/credentials/credentials.ts'
import type { Database } from '#platform/database/database.ts'
import { forgetOldAnswers, type IdempotencyTables } from '#platform/database/idempotency.ts'
import { openInspection } from '#platform/doctor/data-inspector.ts'
import type { BodyBudget } from '#platform/http/body-limits.ts'
import { LimitExchange } from '#platform/http/limit-exchange.ts'
import { TICK_MS } from '#platform/http/shared-limit.ts'
import type { Jobs, ServiceJobs } from '#platform/jobs/jobs.ts'
import { MaintenanceClock, type ServiceMaintenance } from '#platform/jobs/maintenance-clock.ts'
import type { WebhookOptions } from '#platform/webhooks/create-webhooks.ts'
import { createAppTokensStore, createEventTokens, deriveTokenKeys, openedByToken } from './api/event-tokens.ts'
import { createCompleteTrackMessage, createTrackWebhooks } from './api/webhooks.ts'
import { createErasures, deriveReceiptKeys } from './erasure/erasures.ts'
import { countOverdue, countOverdueTracks, eraseOverdueTracks } from './erasure/retention.ts'
import { createErasuresStore } from './erasure/store.ts'
import { ExportScheduler } from './exports/send-export.ts'
import { createImportReader } from './imports/import-reader.ts'
import { addLiveJobs, openLive } from './live/event-watches.ts'
import { createBinStore } from './model/bin-store.ts'
import type { tracksConfig } from './model/config.ts'
import { EventLimits } from './model/event-limits.ts'
import { createEventsStore, createOperatorEventsStore, deleteTracksOfEvent } from './model/events-store.ts'
import { openTracksDatabase } from './model/migrations.ts'
import { createOperatorTracksStore } from './model/operator-tracks-store.ts'
import { trackName, withRunnerNames } from './model/runner-names.ts'
import type { TrackRow, TracksTables } from './model/tables.ts'
import { createTracksStore } from './model/tracks-store.ts'
import { openPhones } from './phones/finish-silent.ts'
import { createBodyReader } from './points/json/body-reader.ts'
import { Compactor } from './points/storage/compactor.ts'
import { keptTracks } from './points/storage/inspection.ts'
import { createAppendPool } from './points/storage/late-appends.ts'
import { createTracksMetrics } from './points/storage/metrics.ts'
import { PointsWriter } from './points/storage/points-writer.ts'
import { ComputeScheduler } from './points/turns.ts'
import { openTiming } from './race/race-boards.ts'
import { openRehearsals } from './race/rehearsals.ts'
import { openStatistics } from './shares/delayed-tracks.ts'
import { createSharesStore } from './shares/store.ts'
import { createCourseOf } from './statistics/event-courses.ts'
import { createReplays } from './statistics/kept-answers.ts'
import { createPointsPool } from './statistics/points-pool.ts'

/** Runs computations with points, and reads bodies. */
const POINTS_WORKER = new URL('./points-worker.ts', import.meta.url)

/** Subscribers that were disconnected longer than this get a full snapshot. */
const DELETIONS_KEPT_MS = 24 * 3_600_000

type TracksServiceOptions = {
  config: Settings<typeof tracksConfig>
  /** Days for which deleted things can be restored; 0 for no bin. */
  binDays: number
  databaseUrl: string
  databaseConnections: number
  copyBeforeUpgrade?: boolean
  programVersion?: string
  dataDir: string
  secrets: Secrets
  /** Returns the public address of the server, without a trailing slash. */
  baseUrl: () => string
  logger: Logger
  registry: Registry
  bodyBudget: BodyBudget
  webhooks: WebhookOptions
  jobs: Jobs
  /** Milliseconds since 1970. */
  now: () => number
}

/** The running service: everything its routes are built from, and how to close it. */
export type TracksService = Awaited<ReturnType<typeof startTracksService>>

/** Builds the service and starts its background work. */
export async function startTracksService(options: TracksServiceOptions) {
  const database = await openTracksDatabase(options)
  const base = buildDeps(options, database)
  const inspection = openInspection({ ...options, kept: keptTracks, db: database.db })
  const jobs = options.jobs.of('tracks')
  const deps = { ...base, inspection, rehearsals: openRehearsals(base, jobs) }
  const { compactor, limits, limitExchange, tokenUse, pool, appendPool, bodies, webhooks, now } = deps
  limits.start()
  const nameOf = async (row: TrackRow) => trackName((await withRunnerNames(database.db, [row]))[0])
  webhooks.start(createCompleteTrackMessage(nameOf, deps.currentStatistics, deps.maxAccuracyMeters), jobs)
  const maintenanceClock = createMaintenanceClock(options, database.db)
  addJobs(jobs, { ...deps, maintenanceClock })
  const maintenance: ServiceMaintenance = { clock: maintenanceClock, run: () => void jobs.run('tracks-cleaning') }
  return {
    /** Everything that routes are built from. Each names the few members that it uses. */
    deps,
    maintenance,
    /** Makes the first points as fast as later ones, unless they come within a second. */
    warmUp: () => pool.warmUp(),
    /** Makes an event in an empty database. Of several processes that start at once, one makes it. */
    async createFirstEvent() {
      if (!(await deps.events.isEmpty())) return undefined
      return await database.exclusively(async (transaction) => {
        const events = createEventsStore(transaction)
        if (!(await events.isEmpty())) return undefined
        const { tokenKeys } = deps
        const appTokens = createAppTokensStore(transaction)
        const { notices } = database
        const { id, name, token } = await createEventTokens({ events, appTokens, notices, tokenKeys, now }).create(
          'Default',
        )
        return { id, name, token: token.text }
      })
    },
    async close() {
      jobs.stop()
      await deps.inspection.inspector.close()
      await deps.frames.close()
      limits.close()
      limitExchange?.close()
      await webhooks.close()
      await tokenUse.close()
      await compactor.close()
      await pool.close()
      await bodies.close()
      await deps.imports.close()
      await deps.closeTiming()
      await appendPool.close()
      await jobs.close()
      await database.close()
    },
  }
}

function buildDeps(options: TracksServiceOptions, database: Database<TracksTables>) {
  const { config, secrets, baseUrl, logger, registry, bodyBudget, now } = options
  const { maxAccuracyMeters, liveKeepMs } = config
  const { db, notices } = database
  const tokenKeys = deriveTokenKeys(secrets)
  const pool = createPointsPool(POINTS_WORKER)
  const turns = new ComputeScheduler()
  const onFailure = (err: unknown) => logger.warn({ err }, 'updating limits or token uses failed')
  const limits = new EventLimits({ db, onFailure })
  const webhooks = createTrackWebhooks(options, db)
  const stores = buildStores(db, { limits, outbox: webhooks.outbox, now }, options.binDays)
  const { tracks, events, operatorTracks, appTokens, courseOf, erasuresStore: store } = stores
  const lookup = createCredentialLookup({ store: appTokens, opened: openedByToken, notices, now, onFailure })
  const onCompacted = (trackId: string) => points.forgetEnd(trackId)
  const compactor = new Compactor({ db, pool, turns, logger, now, onCompacted, onIdle: () => database.maintain() })
  const appendPool = createAppendPool()
  const onCommit = (requests: number, added: number, ms: number) => {
    metrics.committed(requests, added, ms)
    pool.expectTasks()
  }
  const statistics = openStatistics({ db, tracks, pool, turns, logger, courseOf, maxAccuracyMeters, now })
  const timing = openTiming({ ...statistics, db, events, pool, turns, logger, maxAccuracyMeters, now })
  const live = openLive({ ...statistics, ...timing, db, logger, registry, liveKeepMs, now })
  const planElsewhere = appendPool.plan
  const points = new PointsWriter(database, { now, planElsewhere, onCommit, onAppended: live.recentEnds.note })
  const metrics = createTracksMetrics(registry, {
    waiting: () => points.queueLength,
    compacting: () => compactor.queueLength,
    computing: () => turns.queueLength,
  })
  const eraser = { db, store, outbox: webhooks.outbox, onErased: live.watches.check, now }
  return {
    database,
    db,
    ...stores,
    ...timing,
    ...live,
    points,
    phones: openPhones({ ...stores, ...config, db, points, compactor, now }),
    pool,
    bodies: createBodyReader(POINTS_WORKER),
    imports: createImportReader(),
    appendPool,
    compactor,
    ...statistics,
    replays: createReplays({ ...statistics, db, operatorTracks, pool, turns, maxAccuracyMeters }),
    exportScheduler: new ExportScheduler(),
    webhooks,
    webhookRouteDeps: webhooks.routeDeps,
    tokens: lookup.find,
    eventTokens: createEventTokens({ events, appTokens, notices, tokenKeys, now }),
    tokenKeys,
    tokenUse: lookup.use,
    limits,
    eraser,
    erasures: createErasures({ ...eraser, notices, receiptKeys: deriveReceiptKeys(secrets) }),
    metrics,
    logger,
    bodyBudget,
    now,
    baseUrl,
    limitExchange: notices && new LimitExchange({ notices }),
    ...config,
  }
}

function createMaintenanceClock(
  { logger, now, registry }: TracksServiceOptions,
  db: Kysely<TracksTables>,
): MaintenanceClock {
  const countOverdue = (nowMs: number) => countOverdueTracks(db, nowMs)
  const common = { logger, now, registry, countOverdue }
  return new MaintenanceClock({ ...common, db: db as unknown as Kysely<never>, service: 'tracks' })
}

function buildStores(db: Kysely<TracksTables>, changes: Parameters<typeof createTracksStore>[1], binDays: number) {
  const { now } = changes
  return {
    bin: createBinStore(db, { binDays, now }),
    events: createEventsStore(db),
    appTokens: createAppTokensStore(db),
    operatorEvents: createOperatorEventsStore(db, now),
    tracks: createTracksStore(db, changes),
    tracksIn: (own: Kysely<TracksTables>) => createTracksStore(own, changes),
    operatorTracks: createOperatorTracksStore(db),
    shares: createSharesStore(db),
    courseOf: createCourseOf(db),
    erasuresStore: createErasuresStore(db),
    countOverdue: (eventId: string, retentionDays: number) => countOverdue(db, eventId, retentionDays, now()),
  }
}

type JobDeps = TracksService['deps'] & { maintenanceClock: MaintenanceClock }

/** Adds the background jobs of the service. */
function addJobs(jobs: ServiceJobs, deps: JobDeps): void {
  const { compactor, eventHeights, inspection, limitExchange, phones, tokenUse } = deps
  jobs.every('tracks-cleaning', {
    everyMs: 3_600_000,
    atStart: true,
    doc: 'Removes expired rows and tracks that were kept long enough, and finishes interrupted deletions and erasures.',
    run: () => removeExpired(deps),
  })
  jobs.every('tracks-inspection', {
    everyMs: 60_000,
    doc: 'Checks the stored data for damage, slowly and once a day. Each minute, it checks whether that is due.',
    run: () => inspection.inspector.inspect(),
  })
  jobs.every('compaction-search', {
    everyMs: 60_000,
    atStart: true,
    doc: 'Finds tracks whose points lie in many small chunks, and has them compacted.',
    run: () => compactor.search(),
  })
  jobs.every('event-heights', {
    everyMs: 300_000,
    doc: 'Compares the phones of an event along its course, once 10, 20, 40, 80 and 160 people have finished, and has climbs computed again.',
    run: () => eventHeights.update(),
  })
  jobs.every('silent-phones', {
    everyMs: 60_000,
    doc: 'Finishes the tracks of phones from which no point has come for a while.',
    run: () => phones.finishSilent(),
  })
  addLiveJobs(jobs, deps)
  jobs.every('app-token-use', {
    everyMs: 60_000,
    doc: 'Records when app tokens were last used.',
    run: () => tokenUse.write(),
  })
  jobs.queue('compaction', { doc: 'Tracks that wait for compaction.', countWaiting: () => compactor.queueLength })
  if (limitExchange === undefined) return
  jobs.every('tracks-limits', {
    everyMs: TICK_MS,
    atStart: true,
    doc: 'Divides limits on requests among the instances.',
    run: () => limitExchange.tick(),
  })
}

/**
 * Removes expired rows, tracks that were kept long enough, the remains of interrupted deletions and erasures,
 * and deleted text from the log of SQLite.
 */
async function removeExpired(deps: JobDeps): Promise<void> {
  const { database, db, events, erasures, followedTracks, maintenanceClock } = deps
  await erasures.continueAll()
  if (await maintenanceClock.mayDelete()) await removeOld(deps)
  for (const eventId of await events.ended()) await deleteTracksOfEvent(db, eventId)
  await followedTracks.removeLost()
  await database.maintain()
}

/** Removes rows that have passed their time. */
async function removeOld({ appTokens, bin, db, eraser, webhooks, now }: JobDeps): Promise<void> {
  await forgetOldAnswers(db as unknown as Kysely<IdempotencyTables>, now())
  await appTokens.removeEnded(now())
  await db
    .deleteFrom('deleted_tracks')
    .where('deleted_at', '<=', now() - DELETIONS_KEPT_MS)
    .execute()
  await eraseOverdueTracks(eraser)
  await bin.removeDue()
  await webhooks.removeExpired()
}
