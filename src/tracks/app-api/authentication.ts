import type { FastifyRequest } from 'fastify'
import type { HttpServer } from '#platform/http/http-server.ts'
import { addressGroup } from '#platform/http/limits/client-address.ts'
import { RateLimit } from '#platform/http/limits/rate-limit.ts'
import { applyRateLimit, countRequest } from '#platform/http/limits/rate-limit-headers.ts'
import type { LimitExchange } from '#platform/http/limits/shared/limit-exchange.ts'
import { requirePermissions } from '#platform/http/permissions/require-permissions.ts'
import { describeAsSecured } from '#platform/http/problems/describe-problems.ts'
import { MAX_TOKEN_LENGTH, requestToken } from '#platform/tokens/request-token.ts'
import { tokenHash } from '#platform/tokens/token.ts'
import type { TokenLookup } from '#platform/tokens/token-lookup.ts'
import { PERMISSIONS } from '../domain/permission.ts'
import { permissionMissing, tokenInvalid, tokenMissing } from '../errors.ts'
import type { OpenedAppToken } from '../storage/app-tokens-store.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The event or the person whose tracks the app token opens, and its permissions. Set before any route runs. */
    appToken: OpenedAppToken
  }
}

type Deps = {
  tokens: TokenLookup<OpenedAppToken>
  rateLimit: number
  /** Undefined where no other instance serves the same phones. */
  limitExchange?: LimitExchange | undefined
}

/** Before the token is read. */
const NO_TOKEN = null as unknown as OpenedAppToken

const CHALLENGE = { 'www-authenticate': 'Bearer realm="trackpress", charset="UTF-8"' }

/**
 * Requires an app token for every request in this scope, with the permission that the schema of the route names. Failed
 * attempts are limited by address, before the token is looked up. Valid requests are limited by token and address, so
 * that the phones of an event behind one address share their allowance with nobody else.
 */
export function requireAppToken(app: HttpServer, { tokens, rateLimit, limitExchange }: Deps): void {
  const limit = (name: string) =>
    rateLimit > 0 ? new RateLimit(rateLimit, { shared: limitExchange?.share(name, rateLimit) }) : undefined
  const failures = limit('failed tokens')
  const requests = limit('app tokens')

  describeAsSecured(app, [tokenMissing, tokenInvalid])
  app.decorateRequest('appToken', NO_TOKEN)
  app.addHook('onRequest', async (request, reply) => {
    const address = addressGroup(request.ip)
    const state = failures?.peek(address)
    if (failures !== undefined && state !== undefined && !state.allowed) applyRateLimit(reply, state)
    const token = addressToken(request) ?? requestToken(request.headers)
    const hash = token === undefined ? undefined : tokenHash(token)
    const opened = hash === undefined ? undefined : await tokens(hash)
    if (opened === undefined) {
      if (failures !== undefined) applyRateLimit(reply, failures.take(address))
      if (hash === undefined) throw tokenMissing({ headers: CHALLENGE })
      throw tokenInvalid({ headers: CHALLENGE, refused: { kind: 'app_token', sha256: hash } })
    }
    const settling = requests === undefined ? undefined : countRequest(reply, requests, `${hash} ${address}`)
    if (settling !== undefined) await settling
    request.appToken = opened
    request.tokenHash = hash!
    request.tokenOwner = { kind: 'event', id: opened.eventId }
    reply.raw.setHeader('cache-control', 'no-store')
  })
  requirePermissions(app, {
    known: PERMISSIONS,
    permissionsOf: ({ appToken }) => appToken.permissions,
    denied: permissionMissing,
  })
}

/**
 * Returns the token in the address of a route that has one: the common apps of phones can set an address and no header.
 */
function addressToken({ params }: FastifyRequest): string | undefined {
  const { token } = (params ?? {}) as { token?: string }
  return token === undefined || token.length > MAX_TOKEN_LENGTH ? undefined : token
}
