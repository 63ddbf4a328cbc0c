import type { HttpServer } from '#platform/http/http-server.ts'
import { addressGroup } from '#platform/http/limits/client-address.ts'
import type { RateLimit } from '#platform/http/limits/rate-limit.ts'
import { countRequest } from '#platform/http/limits/rate-limit-headers.ts'
import { describeAsSecured } from '#platform/http/problems/describe-problems.ts'
import { requestToken } from '#platform/tokens/request-token.ts'
import { tokenHash } from '#platform/tokens/token.ts'
import type { TokenLookup } from '#platform/tokens/token-lookup.ts'
import { keyInvalid, keyMissing } from '../errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The workspace of the request's API key; set before any route that requires a key. */
    workspaceId: string
  }
}

type Deps = { keys: TokenLookup<{ workspaceId: string }> }

const CHALLENGE = { 'www-authenticate': 'Bearer realm="trackpress", charset="UTF-8"' }

/** Limits the requests of this scope by client address; scopes with the same limit share it. */
export function limitByAddress(app: HttpServer, limit: RateLimit | undefined): void {
  if (limit === undefined) return
  app.addHook('onRequest', (request, reply, done) => {
    const settling = countRequest(reply, limit, addressGroup(request.ip))
    if (settling === undefined) done()
    else settling.then(() => done(), done)
  })
}

/** Requires an API key for every request in this scope. */
export function requireApiKey(app: HttpServer, { keys }: Deps): void {
  describeAsSecured(app, [keyMissing, keyInvalid])
  app.decorateRequest('workspaceId', '')
  app.addHook('onRequest', async (request, reply) => {
    const token = requestToken(request.headers)
    const found = token === undefined ? undefined : await keys(tokenHash(token))
    if (found === undefined) throw (token === undefined ? keyMissing : keyInvalid)({ headers: CHALLENGE })
    request.workspaceId = found.workspaceId
    reply.raw.setHeader('cache-control', 'no-store')
  })
}
