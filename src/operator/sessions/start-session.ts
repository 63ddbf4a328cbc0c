import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { newToken, tokenHash } from '#platform/tokens/token.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import { beginRecord } from '../audit/record-requests.ts'
import { CHALLENGE, signedOut } from '../errors.ts'
import type { Session } from '../schemas.ts'
import type { RequiredFactor } from '../storage/required-factor.ts'
import type { SessionsStore } from '../storage/sessions-store.ts'
import type { SessionRow } from '../storage/tables.ts'
import type { HostCookie } from './host-cookie.ts'
import type { KnownBrowsers } from './known-browsers.ts'
import { expiryOf, sessionJson } from './session-json.ts'

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

export type StartSessionDeps = {
  sessions: Pick<SessionsStore, 'endByToken' | 'find'>
  audit: AuditLog
  cookie: HostCookie
  knownBrowsers: KnownBrowsers
  requiredFactor: Pick<RequiredFactor, 'isMissing'>
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
  { sessions, audit, cookie, knownBrowsers, requiredFactor, now }: StartSessionDeps,
): Promise<Session> {
  const session = await sessions.find(token_sha256, now())
  if (session === undefined) throw signedOut({ headers: CHALLENGE })
  await beginRecord(request, { audit }, session).catch(async (error) => {
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
