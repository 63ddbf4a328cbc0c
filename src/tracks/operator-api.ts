import { rateLimited } from '#platform/errors.ts'
import { addressGroup } from '#platform/http/client-address.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { acceptJsonBodies } from '#platform/http/json-body.ts'
import type { OperatorGuard } from '#platform/http/operator-guard.ts'
import { RateLimit } from '#platform/http/rate-limit.ts'
import { applyRateLimit } from '#platform/http/rate-limit-headers.ts'
import type { TracksDeps } from './deps.ts'
import { createOperatorDeps, type OperatorDeps, type OperatorOptions } from './operator-deps.ts'
import { getShare } from './routes/get-share.ts'
import { getSharedSeries } from './routes/get-shared-series.ts'
import { listSharedTracks } from './routes/list-shared-tracks.ts'
import { operatorCreateEvent } from './routes/operator-create-event.ts'
import { operatorCreateShare } from './routes/operator-create-share.ts'
import { operatorCreateToken } from './routes/operator-create-token.ts'
import { operatorDeleteEvent } from './routes/operator-delete-event.ts'
import { operatorDeleteTrack } from './routes/operator-delete-track.ts'
import { operatorExportTrack } from './routes/operator-export-track.ts'
import { operatorGetEvent } from './routes/operator-get-event.ts'
import { operatorGetSeries } from './routes/operator-get-series.ts'
import { operatorGetSplits } from './routes/operator-get-splits.ts'
import { operatorGetToken } from './routes/operator-get-token.ts'
import { operatorGetTrack } from './routes/operator-get-track.ts'
import { operatorListEvents } from './routes/operator-list-events.ts'
import { operatorListPoints } from './routes/operator-list-points.ts'
import { operatorListShares } from './routes/operator-list-shares.ts'
import { operatorListTokens } from './routes/operator-list-tokens.ts'
import { operatorListTracks } from './routes/operator-list-tracks.ts'
import { operatorRevokeShare } from './routes/operator-revoke-share.ts'
import { operatorRevokeToken } from './routes/operator-revoke-token.ts'
import { operatorRotateTokens } from './routes/operator-rotate-tokens.ts'
import { operatorUpdateEvent } from './routes/operator-update-event.ts'
import { operatorWatchEvent } from './routes/operator-watch-event.ts'
import { watchShare } from './routes/watch-share.ts'

/** Largest JSON body, decoded: names, notes and dates. */
const MAX_BODY_BYTES = 65_536

const ROUTES = [
  operatorListEvents,
  operatorCreateEvent,
  operatorGetEvent,
  operatorUpdateEvent,
  operatorDeleteEvent,
  operatorListTokens,
  operatorCreateToken,
  operatorRotateTokens,
  operatorGetToken,
  operatorRevokeToken,
  operatorListTracks,
  operatorWatchEvent,
  operatorGetTrack,
  operatorGetSeries,
  operatorGetSplits,
  operatorListPoints,
  operatorExportTrack,
  operatorDeleteTrack,
  operatorListShares,
  operatorCreateShare,
  operatorRevokeShare,
]

/** Events, their tokens and tracks for signed-in operators, and what they share with spectators. */
export async function tracksOperatorApi(
  server: HttpServer,
  deps: TracksDeps & OperatorOptions,
  guard: OperatorGuard,
): Promise<void> {
  const operatorDeps = createOperatorDeps(deps, deps)
  await server.register(async (plugin) => {
    const app = plugin as unknown as HttpServer
    guard(app)
    acceptJsonBodies(app, { limitBytes: MAX_BODY_BYTES, budget: deps.bodyBudget })
    for (const route of ROUTES) route(app, operatorDeps)
  })
  await server.register(async (plugin) => sharedApi(plugin as unknown as HttpServer, operatorDeps))
}

/** For whoever has the address, so each client address has an allowance of its own. */
function sharedApi(app: HttpServer, deps: OperatorDeps): void {
  const requests = deps.rateLimit > 0 ? new RateLimit(deps.rateLimit) : undefined
  app.addHook('onRoute', (route) => {
    route.schema = { ...route.schema, problems: [rateLimited, ...(route.schema?.problems ?? [])] }
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.raw.setHeader('cache-control', 'no-store')
    // The address is the secret; it is not to go to another site with a link.
    reply.raw.setHeader('referrer-policy', 'no-referrer')
    if (requests !== undefined) applyRateLimit(reply, requests.take(addressGroup(request.ip)))
  })
  for (const route of [getShare, listSharedTracks, watchShare, getSharedSeries]) route(app, deps)
}
