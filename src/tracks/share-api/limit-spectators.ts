import { rateLimited } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { addressGroup } from '#platform/http/limits/client-address.ts'
import { RateLimit } from '#platform/http/limits/rate-limit.ts'
import { countRequest } from '#platform/http/limits/rate-limit-headers.ts'
import type { LimitExchange } from '#platform/http/limits/shared/limit-exchange.ts'

type Deps = { rateLimit: number; limitExchange: LimitExchange | undefined }

/**
 * Gives each client address a request allowance in this scope, and keeps what it reads out of caches. `name` tells the
 * allowances of several scopes apart.
 */
export function limitSpectators(app: HttpServer, { rateLimit, limitExchange }: Deps, name: string): void {
  const shared = limitExchange?.share(name, rateLimit)
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
}
