import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { OperatorGuard } from '#platform/http/server/operator-guard.ts'
import { onEventStream } from '#platform/http/streams/event-stream.ts'
import { tokenHash } from '#platform/tokens/token.ts'
import { sessionExpiresAtMs, TOUCH_INTERVAL_MS } from '../domain/session-lifetime.ts'
import { CHALLENGE, crossSite, signedOut } from '../errors.ts'
import type { OpenSession, SessionsStore } from '../storage/sessions-store.ts'
import { refuseCrossSite } from './cross-site.ts'
import type { HostCookie } from './host-cookie.ts'
import { restrictToHost, type Site } from './restrict-to-host.ts'
import type { SessionStreams } from './session-streams.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The current session, set before any route of a guarded scope runs. */
    operatorSession: OpenSession
  }
}

type Deps = {
  sessions: SessionsStore
  sessionStreams: SessionStreams
  cookie: HostCookie
  site: Site
  now: () => number
}

/**
 * Creates the guard of routes for operators only. It sets `request.operatorId`, refuses cross-site changes (403) and
 * requests without a valid session (401), and extends the session. Event streams end with the session.
 */
export function createOperatorGuard({ sessions, sessionStreams, cookie, site, now }: Deps): OperatorGuard {
  async function requireSession(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    reply.raw.setHeader('cache-control', 'no-store')
    const token = cookie.read(request)
    const hash = token === undefined ? undefined : tokenHash(token)
    const session = hash === undefined ? undefined : await sessions.find(hash, now())
    if (token === undefined || session === undefined) throw signedOut({ headers: CHALLENGE })
    request.operatorId = session.operator_id
    request.operatorSession = await touch(session, token, reply)
    onEventStream(request, (stream) => sessionStreams.hold(session.token_sha256, stream))
  }

  async function touch(session: OpenSession, token: string, reply: FastifyReply): Promise<OpenSession> {
    const nowMs = now()
    if (nowMs - session.last_seen_at < TOUCH_INTERVAL_MS) return session
    await sessions.touch(session.token_sha256, nowMs)
    const used = { ...session, last_seen_at: nowMs }
    cookie.write(reply, token, sessionExpiresAtMs({ createdAtMs: used.created_at, lastSeenAtMs: nowMs }) - nowMs)
    return used
  }

  return (app) => {
    describeAsGuarded(app)
    if (!app.hasRequestDecorator('operatorId')) app.decorateRequest('operatorId', '')
    if (!app.hasRequestDecorator('operatorSession'))
      app.decorateRequest('operatorSession', null as unknown as OpenSession)
    restrictToHost(app, site)
    refuseCrossSite(app, site.baseUrl)
    app.addHook('onRequest', requireSession)
  }
}

/** Adds to the API description that the routes of this scope require a session, and their responses without one. */
function describeAsGuarded(app: HttpServer): void {
  app.addHook('onRoute', (route) => {
    const refusals = [route.method].flat().every((method) => ['GET', 'HEAD'].includes(method))
      ? [signedOut]
      : [signedOut, crossSite]
    route.schema = {
      ...route.schema,
      security: [{ Session: [] }],
      problems: [...refusals, ...(route.schema?.problems ?? [])],
    }
  })
}
