import type { CompiledQuery, Kysely } from 'kysely'
import { inTransaction } from '#platform/database/transaction.ts'
import { isValidAt, type OwnedTokensStore, type StoredToken, whereValidAt } from '#platform/tokens/owned-tokens.ts'
import type { AppTokenRow, TracksTables } from './tables.ts'

/** App tokens. Each opens one event. */
export type AppTokensStore = Pick<OwnedTokensStore, 'rotate'> & {
  /** Adds a token. The event's others stay valid. */
  add(eventId: string, token: StoredToken): Promise<void>
  /** Returns the event's valid tokens, newest first. */
  listValid(eventId: string, nowMs: number): Promise<AppTokenRow[]>
  /** Returns the event that a token opens; undefined for an unknown or ended token. */
  findEvent(tokenSha256: string, nowMs: number): Promise<{ eventId: string } | undefined>
  /** Ends one token at once. @returns false if the event does not have it. */
  end(eventId: string, tokenSha256: string): Promise<boolean>
  /** Stores when tokens were last used. */
  noteUse(tokenSha256s: readonly string[], nowMs: number): Promise<void>
}

type TokenTarget = Pick<AppTokenRow, 'event_id' | 'expires_at'>

export function createAppTokensStore(db: Kysely<TracksTables>): AppTokensStore {
  const bySha256: CompiledQuery<TokenTarget> = db
    .selectFrom('app_tokens')
    .select(['event_id', 'expires_at'])
    .where('token_sha256', '=', '')
    .compile()

  return {
    async add(eventId, token) {
      await db.insertInto('app_tokens').values(appTokenRow(eventId, token)).execute()
    },

    async rotate(eventId, token, othersEndMs) {
      await inTransaction(db, async (transaction) => {
        await transaction
          .updateTable('app_tokens')
          .set({ expires_at: othersEndMs })
          .where('event_id', '=', eventId)
          .where(whereValidAt(othersEndMs))
          .execute()
        await transaction.insertInto('app_tokens').values(appTokenRow(eventId, token)).execute()
      })
    },

    async listValid(eventId, nowMs) {
      return await db
        .selectFrom('app_tokens')
        .selectAll()
        .where('event_id', '=', eventId)
        .where(whereValidAt(nowMs))
        .orderBy('created_at', 'desc')
        .execute()
    },

    // Every request needs this query, so it is compiled once and only its parameter changes.
    async findEvent(tokenSha256, nowMs) {
      const { rows } = await db.executeQuery<TokenTarget>({ ...bySha256, parameters: [tokenSha256] })
      const [row] = rows
      return row !== undefined && isValidAt(row, nowMs) ? { eventId: row.event_id } : undefined
    },

    async end(eventId, tokenSha256) {
      const { numDeletedRows } = await db
        .deleteFrom('app_tokens')
        .where('event_id', '=', eventId)
        .where('token_sha256', '=', tokenSha256)
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },

    async noteUse(tokenSha256s, nowMs) {
      await db
        .updateTable('app_tokens')
        .set({ last_used_at: nowMs })
        .where('token_sha256', 'in', tokenSha256s)
        .execute()
    },
  }
}

export function appTokenRow(eventId: string, { sha256, sealed, createdAtMs, label }: StoredToken): AppTokenRow {
  return {
    token_sha256: sha256,
    event_id: eventId,
    sealed,
    created_at: createdAtMs,
    expires_at: null,
    label,
    last_used_at: null,
  }
}
