import type { Kysely } from 'kysely'
import type { Registry } from 'prom-client'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import { forgetOldAnswers, type IdempotencyTables } from '#platform/database/idempotency.ts'
import type { BodyBudget } from '#platform/http/bodies/body-budget.ts'
import { LimitExchange } from '#platform/http/limits/shared/limit-exchange.ts'
import { openInspection } from '#platform/inspection/open-inspection.ts'
import type { Logger } from '#platform/logger.ts'
import type { Secrets } from '#platform/security/secret.ts'
import { rememberTokens } from '#platform/tokens/token-lookup.ts'
import { TokenUse } from '#platform/tokens/token-use.ts'
import { type ServiceUpkeep, UpkeepClock } from '#platform/upkeep/upkeep-clock.ts'
import type { WebhookOptions, Webhooks } from '#platform/webhooks/create-webhooks.ts'
import type { WebhookOutbox } from '#platform/webhooks/storage/outbox.ts'
import { keptTracks } from './backup/kept-tracks.ts'
import { createAppendPool } from './computing/append-pool.ts'
import { Compactor } from './computing/compactor.ts'
import { ComputingTurns } from './computing/computing-turns.ts'
import { createFiguresCheck } from './computing/current-figures.ts'
import { createCurrentStatistics } from './computing/current-statistics.ts'
import { createDelayedEnds } from './computing/delay/delayed-ends.ts'
import { createDelayedReplay } from './computing/delay/delayed-replay.ts'
import { createDelayedStatistics } from './computing/delay/delayed-statistics.ts'
import { createDelayedTails } from './computing/delay/delayed-tails.ts'
import { createDelayedTracks } from './computing/delay/delayed-tracks.ts'
import { createPointsPool, type PointsPool } from './computing/points-pool.ts'
import { createProfiles } from './computing/profiles.ts'
import { createBodyReader } from './computing/reading/body-reader.ts'
import { createRefreshStatistics } from './computing/refresh-statistics.ts'
import { createReplays } from './computing/replays.ts'
import { warmUpRequests } from './computing/warm-up-requests.ts'
import type { tracksConfig } from './config.ts'
import { createErasures, deriveReceiptKeys } from './erasure/erasures.ts'
import { countOverdueTracks, eraseOverdueTracks } from './erasure/retention.ts'
import { createEventTokens, deriveTokenKeys } from './events/event-tokens.ts'
import { ExportTurns } from './exports/export-turns.ts'
import { createImportReader } from './imports/import-reader.ts'
import { createEventWatches, type EventWatches } from './live/event-watches.ts'
import { createTracksMetrics } from './metrics.ts'
import { openPhones } from './phone-apps/open-phones.ts'
import { createAppTokensStore } from './storage/app-tokens-store.ts'
import { PointsWriter } from './storage/appends/points-writer.ts'
import { deleteTracksOfEvent } from './storage/delete-event-tracks.ts'
import { createErasuresStore } from './storage/erasure/erasures-store.ts'
import { EventLimits } from './storage/event-limits.ts'
import { createEventsStore } from './storage/events-store.ts'
import { openTracksDatabase } from './storage/open-database.ts'
import { createOperatorEventsStore } from './storage/operator-events-store.ts'
import { createOperatorTracksStore } from './storage/operator-tracks-store.ts'
import { createSharesStore } from './storage/shares-store.ts'
import type { TracksTables } from './storage/tables.ts'
import { createTracksStore } from './storage/tracks-store.ts'
import { openTiming } from './timing/open-timing.ts'
import { createCompleteTrackMessage } from './webhooks/complete-track-message.ts'
import { createTrackWebhooks } from './webhooks/create-track-webhooks.ts'

/** Interval at which expired rows are removed. */
const CLEAN_EVERY_MS = 3_600_000

/** Subscribers that were disconnected longer than this get a full snapshot. */
const DELETIONS_KEPT_MS = 24 * 3_600_000

type TracksServiceOptions = {
  config: Settings<typeof tracksConfig>
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
  /** Milliseconds since 1970. */
  now: () => number
}

/** The running service: everything its routes are built from, and how to close it. */
export type TracksService = Awaited<ReturnType<typeof startTracksService>>

/** Builds the service and starts its background work. */
export async function startTracksService(options: TracksServiceOptions) {
  const database = await openTracksDatabase(options)
  const deps = {
    ...buildDeps(options, database),
    inspection: openInspection({ ...options, kept: keptTracks, db: database.db }),
  }
  const { compactor, limits, limitExchange, phones, tokenUse, pool, appendPool, bodies, webhooks, now } = deps
  compactor.start()
  limitExchange?.start()
  limits.start()
  phones.start()
  deps.inspection.inspector.start()
  webhooks.start(createCompleteTrackMessage(deps))
  const upkeepClock = createUpkeepClock(options, database.db)
  const upkeep: ServiceUpkeep = { clock: upkeepClock, run: () => void removeExpired({ ...deps, upkeepClock }) }
  upkeep.run()
  const clean = setInterval(upkeep.run, CLEAN_EVERY_MS).unref()
  return {
    /** Everything that routes are built from. Each names the few members that it uses. */
    deps,
    upkeep,
    /** Makes the first requests as fast as later ones. It takes a tenth of a second; a process does it as it starts. */
    warmUp() {
      warmUpRequests()
      pool.warmUp()
    },
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
      clearInterval(clean)
      await deps.inspection.inspector.close()
      limits.close()
      await phones.close()
      limitExchange?.close()
      await webhooks.close()
      await tokenUse.close()
      await compactor.close()
      await pool.close()
      await bodies.close()
      await deps.imports.close()
      await deps.closeTiming()
      await appendPool.close()
      await database.close()
    },
  }
}

function buildDeps(options: TracksServiceOptions, database: Database<TracksTables>) {
  const { config, secrets, baseUrl, logger, registry, bodyBudget, now } = options
  const { maxAccuracyMeters } = config
  const { db, notices } = database
  const tokenKeys = deriveTokenKeys(secrets)
  const pool = createPointsPool()
  const turns = new ComputingTurns()
  const onFailure = (err: unknown) => logger.warn({ err }, 'updating limits or token uses failed')
  const limits = new EventLimits({ db, onFailure })
  const webhooks = createTrackWebhooks(options, db)
  const stores = buildStores({ db, limits, outbox: webhooks.outbox, now })
  const { tracks, events, operatorTracks, appTokens } = stores
  const tokenUse = new TokenUse({ store: appTokens, now, onFailure })
  const onCompacted = (trackId: string) => points.forgetEnd(trackId)
  const compactor = new Compactor({ db, pool, turns, logger, now, onCompacted, onIdle: () => database.maintain() })
  const appendPool = createAppendPool()
  const onCommit = (requests: number, added: number, ms: number) => {
    metrics.committed(requests, added, ms)
    pool.expectTasks()
  }
  const points = new PointsWriter(database, { now, planElsewhere: appendPool.plan, onCommit })
  const metrics = createTracksMetrics(registry, {
    waiting: () => points.queueLength,
    compacting: () => compactor.queueLength,
    computing: () => turns.queueLength,
  })
  const statistics = buildStatistics({ db, tracks, pool, turns, logger, maxAccuracyMeters, now })
  const watches = createEventWatches({ db, logger, registry, now, ...statistics })
  /** Records a use only when the token is looked up: of many requests at about the same time, the first. */
  const findOpened = async (hash: string) => {
    const found = await appTokens.findOpened(hash, now())
    if (found !== undefined) tokenUse.note(hash)
    return found
  }
  return {
    database,
    db,
    ...stores,
    ...openTiming({ ...statistics, db, events, pool, turns, logger, maxAccuracyMeters, now }),
    points,
    phones: openPhones({ ...stores, ...config, db, points, compactor, logger, now }),
    pool,
    bodies: createBodyReader(),
    imports: createImportReader(),
    appendPool,
    compactor,
    ...statistics,
    replays: createReplays({ ...statistics, db, operatorTracks, pool, turns, maxAccuracyMeters }),
    exportTurns: new ExportTurns(),
    webhooks,
    webhookRouteDeps: webhooks.routeDeps,
    tokens: rememberTokens(findOpened, notices, now),
    eventTokens: createEventTokens({ events, appTokens, notices, tokenKeys, now }),
    tokenKeys,
    tokenUse,
    limits,
    watches,
    erasures: buildErasures({ ...options, ...stores, db, notices, webhooks, watches }),
    metrics,
    logger,
    bodyBudget,
    now,
    baseUrl,
    limitExchange: notices && new LimitExchange({ notices }),
    ...config,
  }
}

function createUpkeepClock(
  { logger, now, registry }: Pick<TracksServiceOptions, 'logger' | 'now' | 'registry'>,
  db: Kysely<TracksTables>,
): UpkeepClock {
  const countOverdue = (nowMs: number) => countOverdueTracks(db, nowMs)
  return new UpkeepClock({ db: db as unknown as Kysely<never>, service: 'tracks', logger, now, registry, countOverdue })
}

type StatisticsDeps = Parameters<typeof createCurrentStatistics>[0] & { pool: PointsPool; now: () => number }

/** Builds what computes the figures of tracks, for phones, operators and spectators. */
function buildStatistics(deps: StatisticsDeps) {
  const currentStatistics = createCurrentStatistics(deps)
  const hasCurrentFigures = createFiguresCheck(deps.maxAccuracyMeters)
  const delayed = { delayedEnds: createDelayedEnds(deps), delayedStatistics: createDelayedStatistics(deps) }
  return {
    currentStatistics,
    hasCurrentFigures,
    delayedEnds: delayed.delayedEnds,
    delayedReplay: createDelayedReplay(delayed.delayedEnds),
    delayedTails: createDelayedTails(deps),
    delayedTracks: createDelayedTracks({ ...delayed, hasCurrentFigures }),
    refreshStatistics: createRefreshStatistics({ ...deps, currentStatistics, hasCurrentFigures }),
    profiles: createProfiles(deps),
  }
}

type ErasureDeps = Pick<TracksServiceOptions, 'secrets' | 'now'> &
  Pick<ReturnType<typeof buildStores>, 'erasuresStore'> &
  Pick<Database<TracksTables>, 'db' | 'notices'> & { webhooks: Pick<Webhooks, 'outbox'>; watches: EventWatches }

/** Builds what erases the data of people. */
function buildErasures({ db, notices, erasuresStore, webhooks, watches, secrets, now }: ErasureDeps) {
  const receiptKeys = deriveReceiptKeys(secrets)
  const { outbox } = webhooks
  return createErasures({ db, store: erasuresStore, outbox, notices, receiptKeys, onErased: watches.check, now })
}

type StoreDeps = { db: Kysely<TracksTables>; limits: EventLimits; outbox: WebhookOutbox; now: () => number }

function buildStores({ db, limits, outbox, now }: StoreDeps) {
  return {
    events: createEventsStore(db),
    appTokens: createAppTokensStore(db),
    operatorEvents: createOperatorEventsStore(db, now),
    tracks: createTracksStore(db, { limits, outbox, now }),
    tracksIn: (own: Kysely<TracksTables>) => createTracksStore(own, { limits, outbox, now }),
    operatorTracks: createOperatorTracksStore(db),
    shares: createSharesStore(db),
    erasuresStore: createErasuresStore(db),
  }
}

type CleanUpDeps = Pick<
  ReturnType<typeof buildDeps>,
  | 'database'
  | 'db'
  | 'events'
  | 'erasures'
  | 'erasuresStore'
  | 'followedTracks'
  | 'watches'
  | 'webhooks'
  | 'now'
  | 'logger'
> & { upkeepClock: UpkeepClock }

/**
 * Removes expired rows, tracks that were kept long enough, the remains of interrupted deletions and erasures,
 * and deleted text from the log of SQLite.
 */
async function removeExpired(deps: CleanUpDeps): Promise<void> {
  const { database, db, events, erasures, followedTracks, upkeepClock, logger } = deps
  try {
    await erasures.continueAll()
    if (await upkeepClock.mayDelete()) await removeOld(deps)
    for (const eventId of await events.ended()) await deleteTracksOfEvent(db, eventId)
    await followedTracks.removeLost()
    await database.maintain()
  } catch (err) {
    logger.warn({ err }, 'removing expired rows failed')
  }
}

/** Removes what has passed its time. */
async function removeOld({ db, erasuresStore, watches, webhooks, now }: CleanUpDeps): Promise<void> {
  await forgetOldAnswers(db as unknown as Kysely<IdempotencyTables>, now())
  await db.deleteFrom('app_tokens').where('expires_at', '<=', now()).execute()
  await db
    .deleteFrom('deleted_tracks')
    .where('deleted_at', '<=', now() - DELETIONS_KEPT_MS)
    .execute()
  await eraseOverdueTracks({ db, store: erasuresStore, outbox: webhooks.outbox, onErased: watches.check, now })
  await webhooks.removeExpired()
}
