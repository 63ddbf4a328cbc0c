import type { HttpServer } from '#platform/http/http-server.ts'
import { addressGroup } from '#platform/http/limits/client-address.ts'
import type { RateLimit } from '#platform/http/limits/rate-limit.ts'
import { applyRateLimit } from '#platform/http/limits/rate-limit-headers.ts'
import { describeAsSecured } from '#platform/http/problems/describe-problems.ts'
import { requestToken } from '#platform/tokens/request-token.ts'
import { tokenHash } from '#platform/tokens/token.ts'
import type { PublicationsDeps } from '../deps.ts'
import { keyInvalid, keyMissing } from '../errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The workspace that the request's API key opens; set before any route that demands a key runs. */
    workspaceId: string
  }
}

const CHALLENGE = { 'www-authenticate': 'Bearer realm="trackpress", charset="UTF-8"' }

/** Counts every request of this scope by client address; the allowance is shared by all scopes given the same limit. */
export function limitByAddress(app: HttpServer, limit: RateLimit | undefined): void {
  if (limit === undefined) return
  app.addHook('onRequest', (request, reply, done) => {
    applyRateLimit(reply, limit.take(addressGroup(request.ip)))
    done()
  })
}

/** Demands an API key of every request in this scope. */
export function demandApiKey(app: HttpServer, { keys }: Pick<PublicationsDeps, 'keys'>): void {
  describeAsSecured(app, [keyMissing, keyInvalid])
  app.decorateRequest('workspaceId', '')
  app.addHook('onRequest', async (request, reply) => {
    const token = requestToken(request.headers)
    const opened = token === undefined ? undefined : await keys(tokenHash(token))
    if (opened === undefined) throw (token === undefined ? keyMissing : keyInvalid)({ headers: CHALLENGE })
    request.workspaceId = opened.workspaceId
    reply.raw.setHeader('cache-control', 'no-store')
  })
}
