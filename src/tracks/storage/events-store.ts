import type { CompiledQuery, Insertable, Kysely } from 'kysely'
import { inTransaction } from '#platform/database/transaction.ts'
import type { AppTokenRow, EventRow, TracksTables } from './tables.ts'

/** A token as it is stored: never its text, only what finds it and what shows it. */
export type StoredToken = { tokenSha256: string; sealed: Uint8Array; createdAtMs: number; label?: string | null }

/** Events and the app tokens that open them. */
export type EventsStore = {
  create(event: Insertable<EventRow>, token: StoredToken): Promise<void>
  find(id: string): Promise<EventRow | undefined>
  /** All events, newest first, each with the number of its tracks. */
  list(): Promise<(EventRow & { tracks_count: number })[]>
  /** Whether there is or has been any event: the first start makes one only in an empty database. */
  isEmpty(): Promise<boolean>
  /** The event that a token opens at a time; undefined for an unknown or ended token. */
  findByToken(tokenSha256: string, nowMs: number): Promise<{ eventId: string } | undefined>
  /** Adds a token beside the others. */
  addFurtherToken(eventId: string, token: StoredToken): Promise<void>
  /** Adds a token, and ends the others at `othersEndMs`, or sooner where they already end sooner. */
  addToken(eventId: string, token: StoredToken, othersEndMs: number): Promise<void>
  /** The tokens of an event that are still good, newest first. */
  tokens(eventId: string, nowMs: number): Promise<AppTokenRow[]>
  /** Ends one token at once. @returns whether the event had it. */
  endToken(eventId: string, tokenSha256: string): Promise<boolean>
  /** Notes when tokens were used last. */
  noteUse(tokenSha256s: readonly string[], nowMs: number): Promise<void>
  /** Ends the event: its tokens are gone, nothing shows it any more. Its tracks are removed apart, as they can be many. */
  end(id: string, nowMs: number): Promise<boolean>
  /** Events that were ended and still have a row: their tracks are still to be removed. */
  ended(): Promise<string[]>
}

type TokenTarget = Pick<AppTokenRow, 'event_id' | 'expires_at'>

export function createEventsStore(db: Kysely<TracksTables>): EventsStore {
  const byToken: CompiledQuery<TokenTarget> = db
    .selectFrom('app_tokens')
    .select(['event_id', 'expires_at'])
    .where('token_sha256', '=', '')
    .compile()

  return {
    async create(event, token) {
      await inTransaction(db, async (transaction) => {
        await transaction.insertInto('events').values(event).execute()
        await transaction.insertInto('app_tokens').values(tokenRow(event.id, token)).execute()
      })
    },

    async find(id) {
      return await db
        .selectFrom('events')
        .selectAll()
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
    },

    async list() {
      return await db
        .selectFrom('events')
        .selectAll()
        .select((events) =>
          events
            .selectFrom('tracks')
            .select((tracks) => tracks.fn.countAll<number>().as('count'))
            .whereRef('tracks.event_id', '=', 'events.id')
            .$castTo<{ count: number }>()
            .as('tracks_count'),
        )
        .where('deleted_at', 'is', null)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .$castTo<EventRow & { tracks_count: number }>()
        .execute()
    },

    async isEmpty() {
      return (await db.selectFrom('events').select('id').limit(1).executeTakeFirst()) === undefined
    },

    // Every request passes here, so the query is built once and only its parameter changes.
    async findByToken(tokenSha256, nowMs) {
      const { rows } = await db.executeQuery<TokenTarget>({ ...byToken, parameters: [tokenSha256] })
      const [row] = rows
      if (row === undefined || (row.expires_at !== null && row.expires_at <= nowMs)) return undefined
      return { eventId: row.event_id }
    },

    async addFurtherToken(eventId, token) {
      await db.insertInto('app_tokens').values(tokenRow(eventId, token)).execute()
    },

    async addToken(eventId, token, othersEndMs) {
      await inTransaction(db, async (transaction) => {
        await transaction
          .updateTable('app_tokens')
          .set({ expires_at: othersEndMs })
          .where('event_id', '=', eventId)
          .where((or) => or.or([or('expires_at', 'is', null), or('expires_at', '>', othersEndMs)]))
          .execute()
        await transaction.insertInto('app_tokens').values(tokenRow(eventId, token)).execute()
      })
    },

    async tokens(eventId, nowMs) {
      return await db
        .selectFrom('app_tokens')
        .selectAll()
        .where('event_id', '=', eventId)
        .where((or) => or.or([or('expires_at', 'is', null), or('expires_at', '>', nowMs)]))
        .orderBy('created_at', 'desc')
        .execute()
    },

    async endToken(eventId, tokenSha256) {
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

    async end(id, nowMs) {
      return await inTransaction(db, async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable('events')
          .set({ deleted_at: nowMs })
          .where('id', '=', id)
          .where('deleted_at', 'is', null)
          .executeTakeFirstOrThrow()
        await transaction.deleteFrom('app_tokens').where('event_id', '=', id).execute()
        await transaction.deleteFrom('shares').where('event_id', '=', id).execute()
        return numUpdatedRows > 0n
      })
    },

    async ended() {
      const rows = await db.selectFrom('events').select('id').where('deleted_at', 'is not', null).execute()
      return rows.map(({ id }) => id)
    },
  }
}

function tokenRow(eventId: string, token: StoredToken): AppTokenRow {
  return {
    token_sha256: token.tokenSha256,
    event_id: eventId,
    sealed: token.sealed,
    created_at: token.createdAtMs,
    expires_at: null,
    label: token.label ?? null,
    last_used_at: null,
  }
}
