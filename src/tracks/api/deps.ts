import type { Kysely } from 'kysely'
import type { Logger } from '#platform/basics/logger.ts'
import type { TokenLookup } from '#platform/credentials/token.ts'
import type { Database } from '#platform/database/database.ts'
import type { BodyBudget } from '#platform/http/body-limits.ts'
import type { LimitExchange } from '#platform/http/limit-exchange.ts'
import type { WebhookRouteDeps } from '#platform/webhooks/webhook-scope.ts'
import type { BinStore } from '../model/bin-store.ts'
import type { EventLimits } from '../model/event-limits.ts'
import type { EventsStore, EventViews, OperatorEventsStore } from '../model/events-store.ts'
import type { OperatorTracksStore } from '../model/operator-tracks-store.ts'
import type { TracksTables } from '../model/tables.ts'
import type { TracksStore } from '../model/tracks-store.ts'
import type { BodyReader } from '../points/json/body-reader.ts'
import type { Compactor } from '../points/storage/compactor.ts'
import type { TracksMetrics } from '../points/storage/metrics.ts'
import type { PointsWriter } from '../points/storage/points-writer.ts'
import type { CurrentStatistics, RefreshStatistics } from '../statistics/current-statistics.ts'
import type { Profiles } from '../statistics/kept-answers.ts'
import type { EventTokens, OpenedAppToken } from './event-tokens.ts'

/** Everything that routes of events, tokens, tracks and points are built from. Each wing adds its own. */
export type ApiDeps = {
  database: Database<TracksTables>
  db: Kysely<TracksTables>
  events: EventsStore
  operatorEvents: OperatorEventsStore
  bin: BinStore
  eventTokens: EventTokens
  tokens: TokenLookup<OpenedAppToken>
  tracks: TracksStore
  operatorTracks: OperatorTracksStore
  limits: EventLimits
  points: PointsWriter
  bodies: BodyReader
  compactor: Compactor
  currentStatistics: CurrentStatistics
  refreshStatistics: RefreshStatistics
  profiles: Profiles
  watches: EventViews
  webhookRouteDeps: WebhookRouteDeps
  /** Counts the tracks of an event that are erased at once if it keeps them for this many days. */
  countOverdue(eventId: string, retentionDays: number): Promise<number>
  metrics: TracksMetrics
  bodyBudget: BodyBudget
  /** Requests per second of a token, or of a spectator's address; 0 for no limit. */
  rateLimit: number
  /** Undefined where no other instance serves the same clients. */
  limitExchange: LimitExchange | undefined
  titleTimeZone: string
  logger: Logger
  /** Milliseconds since 1970. */
  now: () => number
}
