import { createRefreshStatistics, type RefreshStatistics } from '../computing/refresh-statistics.ts'
import type { TracksDeps } from '../deps.ts'
import { createEventTokens, type EventTokens } from '../events/event-tokens.ts'
import { createEventWatches, type EventWatches } from '../live/event-watches.ts'
import { createOperatorEventsStore, type OperatorEventsStore } from '../storage/operator-events-store.ts'
import { createOperatorTracksStore, type OperatorTracksStore } from '../storage/operator-tracks-store.ts'
import { createSharesStore, type SharesStore } from '../storage/shares-store.ts'

/** What the operator's endpoints need from outside of the service. */
export type OperatorOptions = {
  /** Under which tokens are kept for display. */
  tokenKey: Buffer
  /** Public address of the server, without a slash at its end. */
  baseUrl: () => string
}

/** What the operator's endpoints are built from. */
export type OperatorDeps = TracksDeps &
  OperatorOptions & {
    operatorEvents: OperatorEventsStore
    operatorTracks: OperatorTracksStore
    shares: SharesStore
    eventTokens: EventTokens
    watches: EventWatches
    refreshStatistics: RefreshStatistics
  }

export function createOperatorDeps(deps: TracksDeps, options: OperatorOptions): OperatorDeps {
  const { db, database, events, logger, now, currentStatistics } = deps
  const refreshStatistics = createRefreshStatistics(currentStatistics, now)
  return {
    ...deps,
    ...options,
    operatorEvents: createOperatorEventsStore(db),
    operatorTracks: createOperatorTracksStore(db),
    shares: createSharesStore(db),
    eventTokens: createEventTokens({ events, notices: database.notices, tokenKey: options.tokenKey, now }),
    watches: createEventWatches({ db, logger, now, refreshStatistics }),
    refreshStatistics,
  }
}
