import type { Kysely } from 'kysely'
import { RECENT_MS } from '#platform/credentials/operator-access.ts'
import { type OperatorRights, readRights } from './operator-rights.ts'
import { hasIdentity, NO_PROVIDER, operatorsOf, type ProviderAccounts } from './provider-accounts.ts'
import type { OperatorTables, SessionRow } from './tables.ts'

/** A session with the name and the rights of its operator, whose account may be one of the provider. */
export type OpenSession = SessionRow & { operator_name: string; rights: OperatorRights; isOfProvider: boolean }

/** Sessions of signed-in browsers. Every request queries them, so that a session ends at once on every instance. */
export type SessionsStore = ReturnType<typeof createSessionsStore>

export function createSessionsStore(db: Kysely<OperatorTables>, { issuers }: ProviderAccounts = NO_PROVIDER) {
  const living = (nowMs: number) => {
    const used = db
      .selectFrom('sessions')
      .where('last_seen_at', '>', nowMs - IDLE_LIFETIME_MS)
      .where('sessions.created_at', '>', nowMs - MAX_LIFETIME_MS)
    if (issuers.length === 0) return used
    return used.where((row) =>
      row.or([
        row('sessions.created_at', '>', nowMs - PROVIDER_LIFETIME_MS),
        row('sessions.operator_id', 'not in', operatorsOf(db, issuers)),
      ]),
    )
  }

  /** Selects sessions with a row for each grant of their operators. */
  const withRights = (nowMs: number) =>
    living(nowMs)
      .innerJoin('operators', 'operators.id', 'sessions.operator_id')
      .where('operators.suspended_at', 'is', null)
      .leftJoin('operator_grants', 'operator_grants.operator_id', 'operators.id')
      .select(['operators.role', 'operators.is_limited', 'operator_grants.kind', 'operator_grants.subject_id'])

  return {
    /** Finds the session of a cookie; undefined if it has ended or its operator was deleted. */
    async find(tokenSha256: string, nowMs: number): Promise<OpenSession | undefined> {
      const rows = await withRights(nowMs)
        .selectAll('sessions')
        .select('operators.name as operator_name')
        .where('token_sha256', '=', tokenSha256)
        .execute()
      if (rows.length === 0) return undefined
      const [{ role: _role, is_limited: _limited, kind: _kind, subject_id: _subject, ...session }] = rows
      return { ...session, rights: readRights(rows), isOfProvider: await hasIdentity(db, session.operator_id, issuers) }
    },

    /** Returns the given sessions that have not ended, with the rights of their operators. */
    async living(tokensSha256: readonly string[], nowMs: number): Promise<Map<string, OperatorRights>> {
      const rows = await withRights(nowMs).select('token_sha256').where('token_sha256', 'in', tokensSha256).execute()
      const bySession = Map.groupBy(rows, ({ token_sha256 }) => token_sha256)
      return new Map([...bySession].map(([token, ofOne]) => [token, readRights(ofOne)]))
    },

    /** Records that a session was used. */
    async touch(tokenSha256: string, nowMs: number): Promise<void> {
      await db.updateTable('sessions').set({ last_seen_at: nowMs }).where('token_sha256', '=', tokenSha256).execute()
    },

    /** Records that the operator of a session has confirmed its identity. */
    async confirm(tokenSha256: string, nowMs: number): Promise<void> {
      await db.updateTable('sessions').set({ confirmed_at: nowMs }).where('token_sha256', '=', tokenSha256).execute()
    },

    /** Returns an operator's sessions, the last used first. */
    async list(operatorId: string, nowMs: number): Promise<SessionRow[]> {
      return await living(nowMs)
        .selectAll()
        .where('operator_id', '=', operatorId)
        .orderBy('last_seen_at', 'desc')
        .orderBy('id')
        .execute()
    },

    /** Ends one of an operator's sessions. Returns false if none has this id. */
    async end(operatorId: string, id: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('sessions')
        .where('operator_id', '=', operatorId)
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },

    async endByToken(tokenSha256: string): Promise<void> {
      await db.deleteFrom('sessions').where('token_sha256', '=', tokenSha256).execute()
    },

    removeExpired: (nowMs: number): Promise<void> => removeExpired(db, issuers, nowMs),
  }
}

async function removeExpired(db: Kysely<OperatorTables>, issuers: readonly string[], nowMs: number): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where((or) =>
      or.or([or('last_seen_at', '<=', nowMs - IDLE_LIFETIME_MS), or('created_at', '<=', nowMs - MAX_LIFETIME_MS)]),
    )
    .execute()
  if (issuers.length === 0) return
  await db
    .deleteFrom('sessions')
    .where('created_at', '<=', nowMs - PROVIDER_LIFETIME_MS)
    .where((row) => row('operator_id', 'in', operatorsOf(db, issuers)))
    .execute()
}

const DAY_MS = 86_400_000

/** Unused sessions end after this time, so that a forgotten browser does not stay signed in. */
const IDLE_LIFETIME_MS = 14 * DAY_MS
/** Used sessions end after this time, so that a stolen cookie does not work for ever. */
const MAX_LIFETIME_MS = 90 * DAY_MS
/** The same for accounts of the identity provider, which is asked again once a working day. */
const PROVIDER_LIFETIME_MS = DAY_MS / 3
/** Minimum time between two updates of `last_seen_at`. Without it, every request would write. */
export const TOUCH_INTERVAL_MS = 300_000

type Times = { createdAtMs: number; lastSeenAtMs: number; isOfProvider: boolean }

/** Returns the time at which a session ends unless it is used again. */
export function sessionExpiresAtMs({ createdAtMs, lastSeenAtMs, isOfProvider }: Times): number {
  const maxLifetimeMs = isOfProvider ? PROVIDER_LIFETIME_MS : MAX_LIFETIME_MS
  return Math.min(lastSeenAtMs + IDLE_LIFETIME_MS, createdAtMs + maxLifetimeMs)
}

/** Returns the time until which a confirmation is recent enough. */
export function confirmedUntilMs(confirmedAtMs: number): number {
  return confirmedAtMs + RECENT_MS
}
