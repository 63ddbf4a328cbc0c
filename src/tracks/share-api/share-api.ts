import { rateLimited } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { addressGroup } from '#platform/http/limits/client-address.ts'
import { RateLimit } from '#platform/http/limits/rate-limit.ts'
import { countRequest } from '#platform/http/limits/rate-limit-headers.ts'
import type { LimitExchange } from '#platform/http/limits/shared/limit-exchange.ts'
import { getShare } from './get-share.ts'
import { getSharedSeries } from './get-shared-series.ts'
import { listSharedTracks } from './list-shared-tracks.ts'
import { watchShare } from './watch-share.ts'

type Deps = { rateLimit: number; limitExchange: LimitExchange | undefined } & Parameters<typeof listSharedTracks>[1] &
  Parameters<typeof watchShare>[1] &
  Parameters<typeof getSharedSeries>[1]

/** Registers what spectators with a share link may read. Each client address has its own request allowance. */
export function shareApi(app: HttpServer, deps: Deps): void {
  const { rateLimit, limitExchange } = deps
  const shared = limitExchange?.share('share links', rateLimit)
  const requests = rateLimit > 0 ? new RateLimit(rateLimit, { shared }) : undefined
  app.addHook('onRoute', (route) => {
    route.schema = { ...route.schema, problems: [rateLimited, ...(route.schema?.problems ?? [])] }
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.raw.setHeader('cache-control', 'no-store')
    // The address contains the secret token, so it must not reach other sites as a referrer.
    reply.raw.setHeader('referrer-policy', 'no-referrer')
    if (requests !== undefined) await countRequest(reply, requests, addressGroup(request.ip))
  })
  for (const route of [getShare, listSharedTracks, watchShare, getSharedSeries]) route(app, deps)
}
