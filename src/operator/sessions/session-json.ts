import type { FastifyRequest } from 'fastify'
import { formatDateTime } from '#platform/time/date-time.ts'
import type { SignInLink as Link } from '../accounts/operator-accounts.ts'
import { sessionExpiresAtMs } from '../domain/session-lifetime.ts'
import type { OperatorList, Session, SessionList, SignInLink } from '../schemas.ts'
import type { Client } from '../sign-in/authenticate.ts'
import type { OpenSession } from '../storage/sessions-store.ts'
import type { OperatorRow, SessionRow } from '../storage/tables.ts'

/** When a session ends if it is not used again. */
export function expiryOf({ created_at, last_seen_at }: SessionRow): number {
  return sessionExpiresAtMs({ createdAtMs: created_at, lastSeenAtMs: last_seen_at })
}

/** A session as who is signed in sees it. */
export function sessionJson(session: OpenSession): Session {
  return {
    operator: { id: session.operator_id, name: session.operator_name },
    expires_at: formatDateTime(expiryOf(session)),
  }
}

/** A session as the list has it. */
export function listedSessionJson(session: SessionRow, currentId: string): SessionList['sessions'][number] {
  return {
    id: session.id,
    created_at: formatDateTime(session.created_at),
    last_seen_at: formatDateTime(session.last_seen_at),
    expires_at: formatDateTime(expiryOf(session)),
    user_agent: session.user_agent,
    address: session.address,
    is_current: session.id === currentId,
  }
}

/** An operator without anything that is secret. */
export function operatorJson(operator: OperatorRow): OperatorList['operators'][number] {
  return {
    id: operator.id,
    name: operator.name,
    created_at: formatDateTime(operator.created_at),
    last_sign_in_at: operator.last_sign_in_at === null ? null : formatDateTime(operator.last_sign_in_at),
    has_password: operator.password_hash !== null,
  }
}

/** A sign-in link with the address of the server in front. */
export function signInLinkJson({ path, expiresAtMs }: Link, baseUrl: string): SignInLink {
  return { url: `${baseUrl}${path}`, expires_at: formatDateTime(expiresAtMs) }
}

/** Who signs in. */
export function clientOf({ ip, headers }: FastifyRequest): Client {
  return { address: ip, userAgent: headers['user-agent'] ?? '' }
}
