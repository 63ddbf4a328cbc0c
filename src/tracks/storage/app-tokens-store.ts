import type { CompiledQuery, Kysely, Transaction } from 'kysely'
import { inTransaction } from '#platform/database/transaction.ts'
import { isValidAt, type OwnedTokensStore, type StoredToken, whereValidAt } from '#platform/tokens/owned-tokens.ts'
import { formatPermissions, parsePermissions } from '#platform/tokens/permission-list.ts'
import { DEFAULT_PERMISSIONS, PERMISSIONS, type Permission } from '../domain/permission.ts'
import type { AppTokenRow, TracksTables } from './tables.ts'
import type { TrackScope } from './track-scope.ts'

const TOKEN_ID_LENGTH = 32

/** Rows of ten columns in one statement, below the 32,766 parameters that SQLite takes. */
const ROWS_PER_INSERT = 500

/** The tracks that a token opens, and its permissions. */
export type OpenedAppToken = TrackScope & { permissions: readonly Permission[] }

/** The tracks, permissions and lifetime of a new token. */
export type AppTokenGrant = {
  permissions: readonly Permission[]
  /** The one person whose tracks it opens; null for all tracks of the event. */
  userId: string | null
  /** End of the token; null without an end. */
  expiresAtMs: number | null
  /** Set for the token that an event begins with, or that replaces it. */
  isFirst: boolean
}

/** The grant of an event's first token, and of the one that replaces it. */
const FIRST_GRANT: AppTokenGrant = {
  permissions: DEFAULT_PERMISSIONS,
  userId: null,
  expiresAtMs: null,
  isFirst: true,
}

/** App tokens. Each opens one event, or the tracks of one person of it. */
export type AppTokensStore = Pick<OwnedTokensStore, 'rotate'> & {
  /** Adds tokens, all or none. The event's others stay valid. @returns false if there is no such event */
  add(eventId: string, tokens: readonly (StoredToken & AppTokenGrant)[]): Promise<boolean>
  /**
   * Adds tokens of people, except for those who have a valid one already.
   * @returns the `user_id` of the latter; undefined if there is no such event
   */
  addMissing(
    eventId: string,
    tokens: readonly (StoredToken & AppTokenGrant)[],
    nowMs: number,
  ): Promise<ReadonlySet<string> | undefined>
  /** Returns the event's valid tokens, newest first. */
  listValid(eventId: string, nowMs: number): Promise<AppTokenRow[]>
  /** Returns what a token opens; undefined for an unknown or ended token. */
  findOpened(tokenSha256: string, nowMs: number): Promise<OpenedAppToken | undefined>
  /** Ends one token at once. @returns false if the event does not have it. */
  end(eventId: string, tokenSha256: string): Promise<boolean>
  /** Stores when tokens were last used. */
  noteUse(tokenSha256s: readonly string[], nowMs: number): Promise<void>
}

type TokenTarget = Pick<AppTokenRow, 'event_id' | 'user_id' | 'permissions' | 'expires_at'>

export function createAppTokensStore(db: Kysely<TracksTables>): AppTokensStore {
  const bySha256: CompiledQuery<TokenTarget> = db
    .selectFrom('app_tokens')
    .select(['event_id', 'user_id', 'permissions', 'expires_at'])
    .where('token_sha256', '=', '')
    .compile()

  return {
    async add(eventId, tokens) {
      return await inTransaction(db, async (transaction) => {
        if (!(await lockEvent(transaction, eventId))) return false
        await insertTokens(transaction, eventId, tokens)
        return true
      })
    },

    addMissing: (eventId, tokens, nowMs) => addMissing(db, eventId, tokens, nowMs),

    async rotate(eventId, token, othersEndMs) {
      await inTransaction(db, async (transaction) => {
        await transaction
          .updateTable('app_tokens')
          .set({ expires_at: othersEndMs })
          .where('event_id', '=', eventId)
          .where('is_first', '=', 1)
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
        .orderBy('token_sha256')
        .execute()
    },

    // Every request needs this query, so it is compiled once and only its parameter changes.
    async findOpened(tokenSha256, nowMs) {
      const { rows } = await db.executeQuery<TokenTarget>({ ...bySha256, parameters: [tokenSha256] })
      const [row] = rows
      if (row === undefined || !isValidAt(row, nowMs)) return undefined
      return {
        eventId: row.event_id,
        userId: row.user_id,
        permissions: parsePermissions(row.permissions, PERMISSIONS),
      }
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

/**
 * Locks an event, so that a deletion under way does not leave new tokens or webhooks behind, that of two
 * lists with the same person one adds a token, and that of two webhooks for the last place one gets it.
 * @returns false if there is no such event
 */
export async function lockEvent(transaction: Transaction<TracksTables>, eventId: string): Promise<boolean> {
  const event = await transaction
    .selectFrom('events')
    .select('id')
    .where('id', '=', eventId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return event !== undefined
}

/**
 * Adds tokens of people who have no valid one.
 * @returns the `user_id` of those who have; undefined without the event
 */
async function addMissing(
  db: Kysely<TracksTables>,
  eventId: string,
  tokens: readonly (StoredToken & AppTokenGrant)[],
  nowMs: number,
): Promise<ReadonlySet<string> | undefined> {
  return await inTransaction(db, async (transaction) => {
    if (!(await lockEvent(transaction, eventId))) return undefined
    const rows = await transaction
      .selectFrom('app_tokens')
      .select('user_id')
      .where('event_id', '=', eventId)
      .where('user_id', 'is not', null)
      .where(whereValidAt(nowMs))
      .execute()
    const known = new Set(rows.map(({ user_id }) => user_id!))
    const missing = tokens.filter(({ userId }) => !known.has(userId!))
    await insertTokens(transaction, eventId, missing)
    return known
  })
}

async function insertTokens(
  transaction: Transaction<TracksTables>,
  eventId: string,
  tokens: readonly (StoredToken & AppTokenGrant)[],
): Promise<void> {
  for (let i = 0; i < tokens.length; i += ROWS_PER_INSERT) {
    const rows = tokens.slice(i, i + ROWS_PER_INSERT).map((token) => appTokenRow(eventId, token, token))
    await transaction.insertInto('app_tokens').values(rows).execute()
  }
}

/** Returns the row of a new token; without a grant, that of an event's first one. */
export function appTokenRow(
  eventId: string,
  { sha256, sealed, createdAtMs, label }: StoredToken,
  { permissions, userId, expiresAtMs, isFirst }: AppTokenGrant = FIRST_GRANT,
): AppTokenRow {
  return {
    token_sha256: sha256,
    event_id: eventId,
    sealed,
    created_at: createdAtMs,
    expires_at: expiresAtMs,
    label,
    last_used_at: null,
    permissions: formatPermissions(permissions, PERMISSIONS),
    user_id: userId,
    is_first: isFirst ? 1 : 0,
  }
}

/** Returns the id of a token in addresses and lists: half of its hash identifies it and opens nothing. */
export function tokenId({ token_sha256 }: Pick<AppTokenRow, 'token_sha256'>): string {
  return token_sha256.slice(0, TOKEN_ID_LENGTH)
}
