import type { Kysely } from 'kysely'
import type { Registry } from 'prom-client'
import type { Settings } from '#platform/config.ts'
import { forgetOldAnswers, type IdempotencyTables } from '#platform/database/idempotency.ts'
import type { BodyBudget } from '#platform/http/bodies/request-body.ts'
import type { Logger } from '#platform/logger.ts'
import { rememberTokens } from '#platform/tokens/token-lookup.ts'
import { ChunkMerger } from './computing/compactor.ts'
import { createCurrentStatistics } from './computing/current-statistics.ts'
import { createPointsPool } from './computing/points-pool.ts'
import { warmUpRequests } from './computing/warm-up-requests.ts'
import type { tracksConfig } from './config.ts'
import type { TracksDeps } from './deps.ts'
import { TokenUse } from './events/token-use.ts'
import { createTracksMetrics } from './metrics.ts'
import { deleteTracksOfEvent } from './storage/delete-event-tracks.ts'
import { EventLimits } from './storage/event-limits.ts'
import { createEventsStore } from './storage/events-store.ts'
import { openTracksDatabase } from './storage/open-database.ts'
import { PointsWriter } from './storage/points-writer.ts'
import { createTracksStore } from './storage/tracks-store.ts'

/** How often what has expired is removed. */
const CLEAN_EVERY_MS = 3_600_000

/** Who watches an event and was away for longer than this begins anew. */
const DELETIONS_KEPT_MS = 24 * 3_600_000

export type TracksServiceOptions = {
  config: Settings<typeof tracksConfig>
  databaseUrl: string
  databaseConnections: number
  dataDir: string
  logger: Logger
  registry: Registry
  bodyBudget: BodyBudget
  now: () => number
}

/** The service with everything it is built from, and the way to end it. */
export type TracksService = {
  deps: TracksDeps
  /** Makes the first requests as fast as later ones, which takes a tenth of a second; a process does it as it starts. */
  warmUp(): void
  close(): Promise<void>
}

/** Builds the service and starts its background work. */
export async function startTracksService(options: TracksServiceOptions): Promise<TracksService> {
  const { config, logger, registry, bodyBudget, now } = options
  const database = await openTracksDatabase(options)
  const { db } = database
  const pool = createPointsPool()
  const onFailure = (err: unknown) => logger.warn({ err }, 'bookkeeping of events failed')
  const limits = new EventLimits({ db, onFailure })
  const tracks = createTracksStore(db, now, (eventId) => limits.has(eventId))
  const events = createEventsStore(db)
  const tokenUse = new TokenUse({ events, now, onFailure })
  const merger = new ChunkMerger({ db, pool, logger, now, onIdle: () => database.maintain() })
  const points = new PointsWriter(database, { now, onCommit: (...commit) => metrics.committed(...commit) })
  const metrics = createTracksMetrics(registry, {
    waiting: () => points.queueLength,
    merging: () => merger.queueLength,
    computing: () => pool.queueLength(),
  })
  /** Only where a token is looked up is its use noted: of many requests with it within a moment, at the first. */
  const findEvent = async (hash: string) => {
    const found = await events.findByToken(hash, now())
    if (found !== undefined) tokenUse.note(hash)
    return found
  }
  const deps: TracksDeps = {
    database,
    db,
    events,
    tracks,
    points,
    pool,
    merger,
    currentStatistics: createCurrentStatistics({
      db,
      tracks,
      pool,
      logger,
      maxAccuracyMeters: config.maxAccuracyMeters,
    }),
    tokens: rememberTokens((hash) => findEvent(hash), database.notices, now),
    limits,
    tokenUse,
    metrics,
    logger,
    bodyBudget,
    now,
    rateLimit: config.rateLimit,
    titleTimeZone: config.titleTimeZone,
    maxAccuracyMeters: config.maxAccuracyMeters,
  }
  merger.start()
  limits.start()
  void removeExpired(deps)
  const clean = setInterval(() => void removeExpired(deps), CLEAN_EVERY_MS).unref()
  return {
    deps,
    warmUp() {
      warmUpRequests()
      // In a thread; a service that is closed at once ends it.
      pool.warmUp().catch(() => {})
    },
    async close() {
      clearInterval(clean)
      limits.close()
      await tokenUse.close()
      await merger.close()
      await pool.close()
      await database.close()
    },
  }
}

/** Removes what has expired, and what a deletion that was interrupted left behind. */
async function removeExpired({ db, events, now, logger }: TracksDeps): Promise<void> {
  try {
    await forgetOldAnswers(db as unknown as Kysely<IdempotencyTables>, now())
    await db.deleteFrom('app_tokens').where('expires_at', '<=', now()).execute()
    await db
      .deleteFrom('deleted_tracks')
      .where('deleted_at', '<=', now() - DELETIONS_KEPT_MS)
      .execute()
    for (const eventId of await events.ended()) await deleteTracksOfEvent(db, eventId)
  } catch (err) {
    logger.warn({ err }, 'removing what has expired failed')
  }
}
