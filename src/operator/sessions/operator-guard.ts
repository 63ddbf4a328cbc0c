import assert from 'node:assert/strict'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { AppError, type ErrorDefinition, notFound } from '#platform/basics/errors.ts'
import {
  confirmationFor,
  confirmationRequired,
  insufficientRole,
  isConfirmedFor,
  needsConfirmation,
  type OperatorAccess,
  type OperatorEffect,
  secondFactorRequired,
} from '#platform/credentials/operator-access.ts'
import {
  type GuardedRoute,
  guardedRoute,
  type OperatorGuard,
  requireAccess,
} from '#platform/credentials/operator-rule.ts'
import { tokenHash } from '#platform/credentials/token.ts'
import { hostName } from '#platform/http/client.ts'
import { onEventStream } from '#platform/http/event-stream.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { beginRecord, recordRequests, SAFE_METHODS } from '../audit/record-requests.ts'
import { CHALLENGE, crossSite, signedOut } from '../model/errors.ts'
import { accessOf } from '../model/operator-rights.ts'
import { type OpenSession, TOUCH_INTERVAL_MS } from '../model/sessions-store.ts'
import type { SessionStreams } from './session-streams.ts'
import { confirmedAtMs, expiryOf, type SessionDeps } from './start-session.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The current session, set before any route of a guarded scope runs. */
    operatorSession: OpenSession
  }
}

type GuardDeps = SessionDeps & Site & { sessionStreams: SessionStreams }

/**
 * Creates the guard of routes for operators only. It sets `request.operatorId` and `request.operatorAccess`, refuses
 * cross-site changes (403) and requests without a valid session (401), extends the session, and holds operators to the
 * rule of access of each route. An operator who lacks a required second factor can only set one up. Rights are read
 * with the session, so that a change takes effect on the next request, on every instance. Event streams end with the
 * session, and when the operator loses the right to them.
 */
export function createOperatorGuard(deps: GuardDeps): OperatorGuard {
  const { sessions, sessionStreams, cookie, requiredFactor, now } = deps

  async function requireSession(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    reply.raw.setHeader('cache-control', 'no-store')
    const token = cookie.read(request)
    const hash = token === undefined ? undefined : tokenHash(token)
    const session = hash === undefined ? undefined : await sessions.find(hash, now())
    if (token === undefined || session === undefined) throw signedOut({ headers: CHALLENGE })
    request.operatorId = session.operator_id
    request.operatorName = session.operator_name
    request.operatorAccess = accessOf(session.rights)
    request.operatorSession = await touch(session, token, reply)
  }

  async function touch(session: OpenSession, token: string, reply: FastifyReply): Promise<OpenSession> {
    const nowMs = now()
    if (nowMs - session.last_seen_at < TOUCH_INTERVAL_MS) return session
    await sessions.touch(session.token_sha256, nowMs)
    const used = { ...session, last_seen_at: nowMs }
    cookie.write(reply, token, expiryOf(used, session.isOfProvider) - nowMs)
    return used
  }

  /**
   * Holds a request to the rule of its route. The rights come before the
   * confirmation: nobody is asked for a password in vain.
   */
  async function admit(request: FastifyRequest, route: GuardedRoute): Promise<void> {
    const { operatorSession, operatorAccess } = request
    if (route.rule.withoutSecondFactor !== true && (await requiredFactor.isMissing(operatorSession.operator_id)))
      throw secondFactorRequired()
    await requireAccess(operatorAccess, route, request)
    requireConfirmation(request, route.rule.effect)
    const mayStay = (access: OperatorAccess) => requireAccess(access, route, request).then(() => true, refused)
    onEventStream(request, (stream) => sessionStreams.hold(operatorSession.token_sha256, stream, mayStay))
  }

  function requireConfirmation({ operatorSession }: FastifyRequest, effect: OperatorEffect): void {
    if (!isConfirmedFor(effect, confirmedAtMs(operatorSession), now())) throw confirmationRequired()
  }

  async function demandEffect(this: FastifyRequest, effect: OperatorEffect): Promise<void> {
    const { also = [] } = this.routeOptions.config.operator!
    assert(also.includes(effect), `${this.routeOptions.url} does not declare that it ${effect}`)
    requireConfirmation(this, effect)
    if (effect === 'exports') await beginRecord(this, deps, this.operatorSession)
  }

  return (app, rules, things = []) => {
    if (!app.hasRequestDecorator('operatorId')) app.decorateRequest('operatorId', '')
    if (!app.hasRequestDecorator('operatorName')) app.decorateRequest('operatorName', '')
    if (!app.hasRequestDecorator('operatorAccess'))
      app.decorateRequest('operatorAccess', null as unknown as OperatorAccess)
    if (!app.hasRequestDecorator('operatorSession'))
      app.decorateRequest('operatorSession', null as unknown as OpenSession)
    if (!app.hasRequestDecorator('demandEffect')) app.decorateRequest('demandEffect', demandEffect)
    restrictToHost(app, deps)
    refuseCrossSite(app, deps.baseUrl)
    app.addHook('onRequest', requireSession)
    app.addHook('onRoute', (options) => {
      const route = guardedRoute(options, rules, things)
      options.config = { ...options.config, operator: route.rule }
      describeAsGuarded(options, route)
      options.onRequest = [(request: FastifyRequest) => admit(request, route), ...[options.onRequest ?? []].flat()]
    })
    recordRequests(app, deps)
  }
}

/** Turns a refusal into false. A failure, such as of the database, stays one. */
function refused(error: unknown): false {
  if (error instanceof AppError && error.status < 500) return false
  throw error
}

/** Adds to the API description that a route requires a session with a role, and the responses without. */
function describeAsGuarded(
  options: RouteOptions,
  { rule: { role, reach, effect, also = [], withoutSecondFactor } }: GuardedRoute,
): void {
  const isSafe = [options.method].flat().every((method) => ['GET', 'HEAD'].includes(method))
  const refusals: ErrorDefinition[] = [
    signedOut,
    ...(isSafe ? [] : [crossSite]),
    ...(withoutSecondFactor === true ? [] : [secondFactorRequired]),
    ...(role === 'viewer' && reach === undefined ? [] : [insufficientRole]),
    ...([effect, ...also].some(needsConfirmation) ? [confirmationRequired] : []),
  ]
  options.schema = {
    ...options.schema,
    security: [{ Session: [role] }],
    description:
      [options.schema?.description, describeConfirmation(effect, also)].filter(Boolean).join(' ') || undefined,
    problems: [...refusals, ...(options.schema?.problems ?? [])],
  }
}

/** Says that a route demands a confirmation, how recent, and why. */
function describeConfirmation(effect: OperatorEffect, also: readonly OperatorEffect[]): string {
  const [always, sometimes] = [[effect], also].map((effects) => effects.filter(needsConfirmation).join(' and '))
  const confirmation = confirmationFor([effect, ...also].find(needsConfirmation) ?? effect)
  if (always !== '') return `Needs a ${confirmation}: it ${always}.`
  return sometimes === '' ? '' : `Needs a ${confirmation} if it ${sometimes.replace(' and ', ' or ')}.`
}

type RequestOrigin = {
  method: string
  /** The host that the request was sent to, as the browser knows it. */
  host: string
  secFetchSite: string | undefined
  origin: string | undefined
}

/**
 * Tells whether another site made the browser send a request that changes something. Browsers say so in
 * `Sec-Fetch-Site` (Fetch Metadata, W3C), except to addresses without TLS. There, `Origin` (RFC 6454) must match
 * `baseUrl` or the host that the request was sent to. A request with neither header does not come from a browser.
 */
function isCrossSite({ method, host, secFetchSite, origin }: RequestOrigin, baseUrl: string): boolean {
  if (SAFE_METHODS.has(method)) return false
  if (secFetchSite !== undefined) return secFetchSite !== 'same-origin' && secFetchSite !== 'none'
  if (origin === undefined) return false
  const from = URL.parse(origin)
  if (from === null) return true
  return from.origin !== URL.parse(baseUrl)?.origin && from.host !== host.toLowerCase()
}

/** Refuses cross-site requests in this scope. */
export function refuseCrossSite(app: HttpServer, baseUrl: () => string): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, host, headers } = request
    const from = { method, host, secFetchSite: headers['sec-fetch-site'] as string | undefined, origin: headers.origin }
    done(isCrossSite(from, baseUrl()) ? crossSite() : undefined)
  })
}

/** The address of the dashboard. `dashboardHost` is its host name, and undefined if it answers under any name. */
export type Site = { baseUrl: () => string; dashboardHost: string | undefined }

/**
 * Restricts this scope to the dashboard's host name. Under another name of the server there are pages with documents
 * written by strangers, and under a name that is none of the operator's, a page that had the name point here (DNS
 * rebinding). A script on either would share an origin with the dashboard.
 */
export function restrictToHost(app: HttpServer, site: Site): void {
  if (site.dashboardHost === undefined) return
  app.addHook('onRequest', async ({ host }) => requireHost(host, site))
}

/** Refuses a request under a name that is not the dashboard's. @throws notFound */
export function requireHost(host: string, { baseUrl, dashboardHost }: Site): void {
  if (dashboardHost === undefined || hostName(host) === dashboardHost) return
  throw notFound({ detail: elsewhere(baseUrl()) })
}

function elsewhere(baseUrl: string): string {
  return `The dashboard answers only at ${baseUrl} (BASE_URL). A proxy has to pass on the Host header.`
}
