import type { Kysely } from 'kysely'
import { IDLE_LIFETIME_MS, MAX_LIFETIME_MS } from '../domain/session-lifetime.ts'
import type { OperatorTables, SessionRow } from './tables.ts'

/** A session with the name of its operator. */
export type OpenSession = SessionRow & { operator_name: string }

/** Sessions of signed-in browsers. Every request queries them, so that a session ends at once on every instance. */
export type SessionsStore = {
  /** Finds the session of a cookie; undefined if it has ended or its operator was deleted. */
  find(tokenSha256: string, nowMs: number): Promise<OpenSession | undefined>
  /** Returns those of these sessions that have not ended. */
  living(tokensSha256: readonly string[], nowMs: number): Promise<Set<string>>
  /** Records that a session was used. */
  touch(tokenSha256: string, nowMs: number): Promise<void>
  /** Returns an operator's sessions, the last used first. */
  list(operatorId: string, nowMs: number): Promise<SessionRow[]>
  /** Ends one of an operator's sessions. Returns false if none has this id. */
  end(operatorId: string, id: string): Promise<boolean>
  endByToken(tokenSha256: string): Promise<void>
  removeExpired(nowMs: number): Promise<void>
}

export function createSessionsStore(db: Kysely<OperatorTables>): SessionsStore {
  const living = (nowMs: number) =>
    db
      .selectFrom('sessions')
      .where('last_seen_at', '>', nowMs - IDLE_LIFETIME_MS)
      .where('sessions.created_at', '>', nowMs - MAX_LIFETIME_MS)

  return {
    async find(tokenSha256, nowMs) {
      return await living(nowMs)
        .innerJoin('operators', 'operators.id', 'sessions.operator_id')
        .selectAll('sessions')
        .select('operators.name as operator_name')
        .where('token_sha256', '=', tokenSha256)
        .executeTakeFirst()
    },

    async living(tokensSha256, nowMs) {
      const rows = await living(nowMs)
        .innerJoin('operators', 'operators.id', 'sessions.operator_id')
        .select('token_sha256')
        .where('token_sha256', 'in', tokensSha256)
        .execute()
      return new Set(rows.map(({ token_sha256 }) => token_sha256))
    },

    async touch(tokenSha256, nowMs) {
      await db.updateTable('sessions').set({ last_seen_at: nowMs }).where('token_sha256', '=', tokenSha256).execute()
    },

    async list(operatorId, nowMs) {
      return await living(nowMs)
        .selectAll()
        .where('operator_id', '=', operatorId)
        .orderBy('last_seen_at', 'desc')
        .orderBy('id')
        .execute()
    },

    async end(operatorId, id) {
      const { numDeletedRows } = await db
        .deleteFrom('sessions')
        .where('operator_id', '=', operatorId)
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },

    async endByToken(tokenSha256) {
      await db.deleteFrom('sessions').where('token_sha256', '=', tokenSha256).execute()
    },

    async removeExpired(nowMs) {
      await db
        .deleteFrom('sessions')
        .where((or) =>
          or.or([or('last_seen_at', '<=', nowMs - IDLE_LIFETIME_MS), or('created_at', '<=', nowMs - MAX_LIFETIME_MS)]),
        )
        .execute()
    },
  }
}
