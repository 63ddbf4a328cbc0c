import assert from 'node:assert/strict'
import type { FastifyRequest } from 'fastify'
import type { ErrorDefinition, RefusedCredential } from '../basics/errors.ts'
import { addressGroup, requestToken } from '../http/client.ts'
import type { HttpServer } from '../http/http-server.ts'
import { describeAsSecured } from '../http/problem.ts'
import { applyRateLimit, countRequest, type RateLimit } from '../http/rate-limit.ts'
import { type TokenLookup, tokenHash } from './token.ts'

type Options<Opened, Permission extends string> = {
  find: TokenLookup<Opened>
  /** The kind of credential, in the record of refused ones. */
  kind: RefusedCredential['kind']
  /** The permissions that the credentials of this scope can have. */
  permissions: readonly Permission[]
  /** The errors of a request without a credential, with an invalid one, and with one that lacks the permission. */
  problems: { missing: ErrorDefinition; invalid: ErrorDefinition; denied: ErrorDefinition }
  /** Returns the credential of a request from another place than its headers. */
  tokenElsewhere?: (request: FastifyRequest) => string | undefined
  /** Limits of failed attempts by address, and of valid requests by credential and address. */
  limits?: { failures: RateLimit; requests: RateLimit } | undefined
  /** Sets on the request the event or workspace that its credential opens, and returns it. */
  open(request: FastifyRequest, opened: Opened): NonNullable<FastifyRequest['tokenOwner']>
  /** Returns the permissions of an opened request. */
  permissionsOf(request: FastifyRequest): readonly Permission[]
}

const CHALLENGE = { 'www-authenticate': 'Bearer realm="trackpress", charset="UTF-8"' }

/**
 * Requires a credential for every request in this scope, with the permission that the schema of the route names. Failed
 * attempts are counted before the credential is looked up.
 */
export function requireCredential<Opened, Permission extends string>(
  app: HttpServer,
  options: Options<Opened, Permission>,
): void {
  const { find, kind, problems, tokenElsewhere, limits, open } = options
  describeAsSecured(app, [problems.missing, problems.invalid])
  app.addHook('onRequest', async (request, reply) => {
    const address = addressGroup(request.ip)
    const state = limits?.failures.peek(address)
    if (state !== undefined && !state.allowed) applyRateLimit(reply, state)
    const token = tokenElsewhere?.(request) ?? requestToken(request.headers)
    const hash = token === undefined ? undefined : tokenHash(token)
    const opened = hash === undefined ? undefined : await find(hash)
    if (opened === undefined) {
      if (limits !== undefined) applyRateLimit(reply, limits.failures.take(address))
      if (hash === undefined) throw problems.missing({ headers: CHALLENGE })
      throw problems.invalid({ headers: CHALLENGE, refused: { kind, sha256: hash } })
    }
    const settling = limits === undefined ? undefined : countRequest(reply, limits.requests, `${hash} ${address}`)
    if (settling !== undefined) await settling
    request.tokenOwner = open(request, opened)
    request.tokenHash = hash!
    reply.raw.setHeader('cache-control', 'no-store')
  })
  requirePermissions(app, options)
}

/**
 * Requires of the token the `permission` that the schema of each route in this scope names. It is checked
 * as soon as the token is known, before the body is read and before anything is looked up, so that a
 * refused request learns nothing. Call it after the hook that reads the token. A route that names no
 * permission is a mistake, and stops the start.
 */
function requirePermissions<Opened, Permission extends string>(
  app: HttpServer,
  { permissions, permissionsOf, problems: { denied } }: Options<Opened, Permission>,
): void {
  app.addHook('onRoute', (route) => {
    const { permission } = route.schema ?? {}
    assert(isKnown(permission, permissions), `${route.method} ${route.url} names no permission`)
    const detail = permissionDetail(permission)
    route.schema = {
      ...route.schema,
      problems: [{ ...describe(denied), message: detail }, ...(route.schema?.problems ?? [])],
    }
    const others = route.onRequest ?? []
    route.onRequest = [
      (request, _reply, done) => done(permissionsOf(request).includes(permission) ? undefined : denied({ detail })),
      ...(Array.isArray(others) ? others : [others]),
    ]
  })
}

/** The sentence by which a refused client learns which permission to ask for. */
export function permissionDetail(permission: string): string {
  return `The token does not have the permission ${permission}.`
}

function isKnown<Permission extends string>(
  permission: string | undefined,
  known: readonly Permission[],
): permission is Permission {
  return known.some((one) => one === permission)
}

function describe({ code, status, message }: ErrorDefinition) {
  return { code, status, message }
}
