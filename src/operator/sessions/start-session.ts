import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { formatDateTime } from '#platform/basics/time.ts'
import { newToken, tokenHash } from '#platform/credentials/token.ts'
import { type HttpServer, noContent } from '#platform/http/http-server.ts'
import { type AuditDeps, beginRecord } from '../audit/record-requests.ts'
import { CHALLENGE, sessionNotFound, signedOut } from '../model/errors.ts'
import { rightsJson } from '../model/operator-rights.ts'
import type { RequiredFactor } from '../model/provider-accounts.ts'
import { IdParams, Session, SessionList } from '../model/schemas.ts'
import { confirmedUntilMs, type OpenSession, type SessionsStore, sessionExpiresAtMs } from '../model/sessions-store.ts'
import type { SessionRow } from '../model/tables.ts'
import { type HostCookie, type KnownBrowsers, signBrowserOut } from './cookies.ts'

/** The source of a sign-in: counted by the limits, and shown to operators so that they recognise their sessions. */
export type Client = { address: string; userAgent: string }

/** A session that was opened just now, with the token for its cookie, which is stored nowhere. */
export type NewSession = { session: SessionRow & { operator_name: string }; token: string }

const TOKEN_PREFIX = 'ses'
const MAX_USER_AGENT_LENGTH = 300

export function newSession(
  operatorId: string,
  { address, userAgent }: Client,
  nowMs: number,
): { row: SessionRow; token: string } {
  const token = newToken(TOKEN_PREFIX)
  const row = {
    token_sha256: tokenHash(token),
    id: randomUUID(),
    operator_id: operatorId,
    created_at: nowMs,
    last_seen_at: nowMs,
    user_agent: userAgent.slice(0, MAX_USER_AGENT_LENGTH),
    address,
    confirmed_at: nowMs,
    provider_session_id: null,
  }
  return { row, token }
}

/** Parts that routes of sessions are built from. */
export type SessionDeps = AuditDeps & {
  sessions: SessionsStore
  cookie: HostCookie
  knownBrowsers: KnownBrowsers
  requiredFactor: RequiredFactor
  now: () => number
}

/**
 * Records the sign-in, and sends the cookies of a new session and of a known browser. The session that the browser had
 * before ends.
 * @throws signedOut if the new session has ended meanwhile
 * @throws auditUnavailable if the sign-in cannot be recorded; the new session has ended then
 */
export async function startSession(
  { session: { token_sha256 }, token }: NewSession,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  deps: SessionDeps,
): Promise<Session> {
  const { sessions, cookie, knownBrowsers, requiredFactor, now } = deps
  const session = await sessions.find(token_sha256, now())
  if (session === undefined) throw signedOut({ headers: CHALLENGE })
  await beginRecord(request, deps, session).catch(async (error) => {
    await sessions.endByToken(session.token_sha256)
    throw error
  })
  const earlier = cookie.read(request)
  if (earlier !== undefined) await sessions.endByToken(tokenHash(earlier))
  cookie.write(reply, token, expiryOf(session, session.isOfProvider) - now())
  knownBrowsers.remember(reply, session.operator_id)
  return await sessionJson(session, requiredFactor)
}

export function clientOf({ ip, headers }: FastifyRequest): Client {
  return { address: ip, userAgent: headers['user-agent'] ?? '' }
}

/** Returns the time at which a session ends unless it is used again. */
export function expiryOf({ created_at, last_seen_at }: SessionRow, isOfProvider: boolean): number {
  return sessionExpiresAtMs({ createdAtMs: created_at, lastSeenAtMs: last_seen_at, isOfProvider })
}

/** Returns the time at which the operator of a session last confirmed its identity. Signing in counts. */
export function confirmedAtMs({ confirmed_at, created_at }: SessionRow): number {
  return confirmed_at ?? created_at
}

/** Represents the current session. */
async function sessionJson(session: OpenSession, requiredFactor: RequiredFactor): Promise<Session> {
  return {
    operator: { id: session.operator_id, name: session.operator_name, ...rightsJson(session.rights) },
    confirmed_until: formatDateTime(confirmedUntilMs(confirmedAtMs(session))),
    expires_at: formatDateTime(expiryOf(session, session.isOfProvider)),
    needs_second_factor: await requiredFactor.isMissing(session.operator_id),
  }
}

/** Represents a session as an entry of the list. */
function listedSessionJson(session: SessionRow, current: OpenSession): SessionList['sessions'][number] {
  return {
    id: session.id,
    created_at: formatDateTime(session.created_at),
    last_seen_at: formatDateTime(session.last_seen_at),
    expires_at: formatDateTime(expiryOf(session, current.isOfProvider)),
    user_agent: session.user_agent,
    address: session.address,
    is_current: session.id === current.id,
  }
}

/** GET /operator/session */
export function getSession(app: HttpServer, { requiredFactor }: SessionDeps) {
  app.get(
    '/operator/session',
    {
      schema: {
        operationId: 'getSession',
        summary: 'Get the session',
        description: 'The operator who is signed in, and when the session ends.',
        tags: ['Signing in'],
        response: { 200: Session },
      },
    },
    async (request) => await sessionJson(request.operatorSession, requiredFactor),
  )
}

/** GET /operator/sessions */
export function listSessions(app: HttpServer, { sessions, now }: SessionDeps) {
  app.get(
    '/operator/sessions',
    {
      schema: {
        operationId: 'listSessions',
        summary: 'List the sessions',
        description: "The current operator's sessions.",
        tags: ['Signing in'],
        response: { 200: SessionList },
      },
    },
    async ({ operatorId, operatorSession }) => {
      const rows = await sessions.list(operatorId, now())
      return { sessions: rows.map((row) => listedSessionJson(row, operatorSession)) }
    },
  )
}

/** DELETE /operator/sessions/:id */
export function endSession(app: HttpServer, { sessions, cookie }: SessionDeps) {
  app.delete(
    '/operator/sessions/:id',
    {
      schema: {
        operationId: 'endSession',
        summary: 'End a session',
        description: "One of the current operator's sessions. Its browser is signed out with its next request.",
        tags: ['Signing in'],
        params: IdParams,
        problems: [sessionNotFound],
        response: { 204: noContent('The session has ended.') },
      },
    },
    async ({ operatorId, operatorSession, params }, reply) => {
      if (!(await sessions.end(operatorId, params.id))) throw sessionNotFound()
      if (params.id === operatorSession.id) signBrowserOut(reply, cookie)
      return reply.code(204).send()
    },
  )
}
