import type { Kysely } from 'kysely'
import type { Database } from '#platform/database/connect.ts'
import type { BodyBudget } from '#platform/http/bodies/request-body.ts'
import type { Logger } from '#platform/logger.ts'
import type { TokenLookup } from '#platform/tokens/token-lookup.ts'
import type { ChunkMerger } from './computing/compactor.ts'
import type { CurrentStatistics } from './computing/current-statistics.ts'
import type { PointsPool } from './computing/points-pool.ts'
import type { TokenUse } from './events/token-use.ts'
import type { TracksMetrics } from './metrics.ts'
import type { EventLimits } from './storage/event-limits.ts'
import type { EventsStore } from './storage/events-store.ts'
import type { PointsWriter } from './storage/points-writer.ts'
import type { TracksTables } from './storage/tables.ts'
import type { TracksStore } from './storage/tracks-store.ts'

/** What the service is built from. */
export type TracksDeps = {
  database: Database<TracksTables>
  db: Kysely<TracksTables>
  events: EventsStore
  tracks: TracksStore
  points: PointsWriter
  pool: PointsPool
  merger: ChunkMerger
  currentStatistics: CurrentStatistics
  tokens: TokenLookup<{ eventId: string }>
  limits: EventLimits
  tokenUse: TokenUse
  metrics: TracksMetrics
  logger: Logger
  bodyBudget: BodyBudget
  /** Milliseconds since 1970. */
  now: () => number
  rateLimit: number
  titleTimeZone: string
  /** Points with a worse accuracy are left out of the statistics; 0 = none are. */
  maxAccuracyMeters: number
}
