import type { FastifyRequest } from 'fastify'
import { requireCredential } from '#platform/credentials/authentication.ts'
import { MAX_TOKEN_LENGTH } from '#platform/http/client.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { RateLimit } from '#platform/http/rate-limit.ts'
import { permissionMissing, tokenInvalid, tokenMissing } from '../model/errors.ts'
import { PERMISSIONS } from '../model/event-rules.ts'
import type { ApiDeps } from './deps.ts'
import type { OpenedAppToken } from './event-tokens.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The event or the person whose tracks the app token opens, and its permissions. Set before any route runs. */
    appToken: OpenedAppToken
  }
}

/** Before the token is read. */
const NO_TOKEN = null as unknown as OpenedAppToken

/**
 * Requires an app token for every request in this scope. Failed attempts are limited by address. Valid requests are
 * limited by token and address, so that the phones of an event behind one address share their allowance with nobody
 * else. `name` tells the limits of several scopes apart.
 */
export function requireAppToken(
  app: HttpServer,
  { tokens, rateLimit, limitExchange }: ApiDeps,
  name = 'app tokens',
): void {
  const limit = (of: string) => new RateLimit(rateLimit, { shared: limitExchange?.share(of, rateLimit) })
  app.decorateRequest('appToken', NO_TOKEN)
  requireCredential(app, {
    find: tokens,
    kind: 'app_token',
    permissions: PERMISSIONS,
    problems: { missing: tokenMissing, invalid: tokenInvalid, denied: permissionMissing },
    tokenElsewhere: addressToken,
    limits: rateLimit > 0 ? { failures: limit(`failed ${name}`), requests: limit(name) } : undefined,
    open(request, opened) {
      request.appToken = opened
      return { kind: 'event', id: opened.eventId }
    },
    permissionsOf: ({ appToken }) => appToken.permissions,
  })
}

/**
 * Returns the token in the address of a route that has one: the common apps of phones can set an address and no header.
 */
function addressToken({ params }: FastifyRequest): string | undefined {
  const { token } = (params ?? {}) as { token?: string }
  return token === undefined || token.length > MAX_TOKEN_LENGTH ? undefined : token
}
