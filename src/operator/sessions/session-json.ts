import { formatDateTime } from '#platform/time/date-time.ts'
import { confirmedUntilMs, sessionExpiresAtMs } from '../domain/session-lifetime.ts'
import type { Session, SessionList } from '../schemas.ts'
import type { RequiredFactor } from '../storage/required-factor.ts'
import type { OpenSession } from '../storage/sessions-store.ts'
import type { SessionRow } from '../storage/tables.ts'
import { rightsJson } from './rights-json.ts'

/** Returns the time at which a session ends unless it is used again. */
export function expiryOf({ created_at, last_seen_at }: SessionRow, isOfProvider: boolean): number {
  return sessionExpiresAtMs({ createdAtMs: created_at, lastSeenAtMs: last_seen_at, isOfProvider })
}

/** Returns the time at which the operator of a session last confirmed its identity. Signing in counts. */
export function confirmedAtMs({ confirmed_at, created_at }: Pick<SessionRow, 'confirmed_at' | 'created_at'>): number {
  return confirmed_at ?? created_at
}

/** Represents the current session. */
export async function sessionJson(
  session: OpenSession,
  requiredFactor: Pick<RequiredFactor, 'isMissing'>,
): Promise<Session> {
  return {
    operator: { id: session.operator_id, name: session.operator_name, ...rightsJson(session.rights) },
    confirmed_until: formatDateTime(confirmedUntilMs(confirmedAtMs(session))),
    expires_at: formatDateTime(expiryOf(session, session.isOfProvider)),
    needs_second_factor: await requiredFactor.isMissing(session.operator_id),
  }
}

/** Represents a session as an entry of the list. */
export function listedSessionJson(session: SessionRow, current: OpenSession): SessionList['sessions'][number] {
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
