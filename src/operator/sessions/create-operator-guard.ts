import assert from 'node:assert/strict'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { AppError, type ErrorDefinition } from '#platform/errors.ts'
import type { OperatorAccess } from '#platform/http/operators/operator-access.ts'
import {
  confirmationFor,
  isConfirmedFor,
  needsConfirmation,
  type OperatorEffect,
} from '#platform/http/operators/operator-effect.ts'
import {
  confirmationRequired,
  insufficientRole,
  secondFactorRequired,
} from '#platform/http/operators/operator-errors.ts'
import { type GuardedRoute, guardedRoute, requireAccess } from '#platform/http/operators/operator-rule.ts'
import type { OperatorGuard } from '#platform/http/server/operator-guard.ts'
import { onEventStream } from '#platform/http/streams/event-stream.ts'
import { tokenHash } from '#platform/tokens/token.ts'
import { type AuditDeps, beginRecord, recordRequests } from '../audit/record-requests.ts'
import { accessOf } from '../domain/operator-rights.ts'
import { TOUCH_INTERVAL_MS } from '../domain/session-lifetime.ts'
import { CHALLENGE, crossSite, signedOut } from '../errors.ts'
import type { RequiredFactor } from '../storage/required-factor.ts'
import type { OpenSession, SessionsStore } from '../storage/sessions-store.ts'
import { refuseCrossSite } from './cross-site.ts'
import type { HostCookie } from './host-cookie.ts'
import { restrictToHost, type Site } from './restrict-to-host.ts'
import { confirmedAtMs, expiryOf } from './session-json.ts'
import type { SessionStreams } from './session-streams.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The current session, set before any route of a guarded scope runs. */
    operatorSession: OpenSession
  }
}

type Deps = AuditDeps & {
  sessions: SessionsStore
  sessionStreams: SessionStreams
  cookie: HostCookie
  requiredFactor: RequiredFactor
  site: Site
  now: () => number
}

/**
 * Creates the guard of routes for operators only. It sets `request.operatorId` and `request.operatorAccess`, refuses
 * cross-site changes (403) and requests without a valid session (401), extends the session, and holds operators to the
 * rule that each route declares. An operator who lacks a required second factor can only set one up. Rights are read
 * with the session, so that a change takes effect on the next request, on every instance. Event streams end with the
 * session, and when the operator loses the right to them.
 */
export function createOperatorGuard(deps: Deps): OperatorGuard {
  const { sessions, sessionStreams, cookie, requiredFactor, site, now } = deps

  async function requireSession(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    reply.raw.setHeader('cache-control', 'no-store')
    const token = cookie.read(request)
    const hash = token === undefined ? undefined : tokenHash(token)
    const session = hash === undefined ? undefined : await sessions.find(hash, now())
    if (token === undefined || session === undefined) throw signedOut({ headers: CHALLENGE })
    request.operatorId = session.operator_id
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
    const params = request.params as { id?: string }
    if (route.rule.withoutSecondFactor !== true && (await requiredFactor.isMissing(operatorSession.operator_id)))
      throw secondFactorRequired()
    await requireAccess(operatorAccess, route, params)
    requireConfirmation(request, route.rule.effect)
    const mayStay = (access: OperatorAccess) => requireAccess(access, route, params).then(() => true, refused)
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

  return (app, things = []) => {
    if (!app.hasRequestDecorator('operatorId')) app.decorateRequest('operatorId', '')
    if (!app.hasRequestDecorator('operatorAccess'))
      app.decorateRequest('operatorAccess', null as unknown as OperatorAccess)
    if (!app.hasRequestDecorator('operatorSession'))
      app.decorateRequest('operatorSession', null as unknown as OpenSession)
    if (!app.hasRequestDecorator('demandEffect')) app.decorateRequest('demandEffect', demandEffect)
    restrictToHost(app, site)
    refuseCrossSite(app, site.baseUrl)
    app.addHook('onRequest', requireSession)
    app.addHook('onRoute', (options) => {
      const route = guardedRoute(options, things)
      describeAsGuarded(options, route)
      options.onRequest = [(request: FastifyRequest) => admit(request, route), ...[options.onRequest ?? []].flat()]
    })
    recordRequests(app, deps)
  }
}

/** Turns a refusal into false. A failure, such as that of the database, stays one. */
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
