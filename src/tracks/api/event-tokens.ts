import { randomUUID } from 'node:crypto'
import type { Insertable, Kysely } from 'kysely'
import { deriveKeys, type Keys, type Secrets } from '#platform/basics/secrets.ts'
import { type CredentialKind, createCredentials, type IssuedCredential } from '#platform/credentials/credentials.ts'
import {
  type CredentialRow,
  createCredentialsStore,
  type FoundCredential,
  insertCredentials,
} from '#platform/credentials/credentials-store.ts'
import { credentialJson } from '#platform/credentials/schemas.ts'
import { whereValidAt } from '#platform/credentials/token.ts'
import type { Notices } from '#platform/database/notices.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { appTokenNotFound, eventNotFound } from '../model/errors.ts'
import {
  DEFAULT_PERMISSIONS,
  defaultTokenEndMs,
  PARTICIPANT_PERMISSIONS,
  PERMISSIONS,
  type Permission,
} from '../model/event-rules.ts'
import { type EventsStore, lockEvent } from '../model/events-store.ts'
import { type EventRow, TOKENS_PURPOSE, type TracksTables } from '../model/tables.ts'
import type { TrackScope } from '../model/track-rows.ts'
import type { AppToken as AppTokenJson, ShownAppToken as ShownAppTokenJson } from './token-schemas.ts'

/** The tracks that a token opens, and its permissions. */
export type OpenedAppToken = TrackScope & { permissions: readonly Permission[] }

/** The one person whose tracks a token opens; null for all tracks of the event. */
export type TokenPerson = { user_id: string | null }

/** A token of an event, or of one person's tracks in it. */
type AppToken = CredentialRow<TokenPerson>

/** App tokens. Each opens one event, or the tracks of one person in it. */
const APP_TOKENS: CredentialKind<TokenPerson> = {
  prefix: 'trk',
  table: 'app_tokens',
  sha256Column: 'token_sha256',
  ownerColumn: 'event_id',
  own: { user_id: null },
  permissions: PERMISSIONS,
  defaultPermissions: DEFAULT_PERMISSIONS,
  ownerNotFound: eventNotFound,
  notFound: appTokenNotFound,
}

type AppTokensStore = ReturnType<typeof createAppTokensStore>

/** Creates the store of app tokens. */
export function createAppTokensStore(db: Kysely<TracksTables>) {
  return {
    ...createCredentialsStore(db, APP_TOKENS, lockEvent),

    /** Adds an event with its first token. */
    async createEvent(event: Insertable<EventRow>, token: AppToken): Promise<void> {
      await inTransaction(db, async (transaction) => {
        await transaction.insertInto('events').values(event).execute()
        await insertCredentials(transaction, APP_TOKENS, [token])
      })
    },
    /** Returns the label of a token, which is the name of its person; null without one. */
    async labelOf(tokenSha256: string): Promise<string | null> {
      const found = db.selectFrom('app_tokens').select('label').where('token_sha256', '=', tokenSha256)
      return (await found.executeTakeFirst())?.label ?? null
    },
    /**
     * Adds tokens of people, except for people who have a valid one already.
     * @returns the `user_id` of the latter; undefined if there is no such event
     */
    async addMissing(
      eventId: string,
      tokens: readonly AppToken[],
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
        const missing = tokens.filter(({ user_id }) => !known.has(user_id!))
        await insertCredentials(transaction, APP_TOKENS, missing)
        return known
      })
    },
  }
}

/** Returns the event and person that a valid token opens. */
export function openedByToken({ ownerId, own, permissions }: FoundCredential<TokenPerson>): OpenedAppToken {
  return { eventId: ownerId, userId: own.user_id, permissions: permissions as readonly Permission[] }
}

/** A token that was created just now, with its text. */
type IssuedToken = IssuedCredential<TokenPerson>

/** The end of a new token, null for none; undefined if none was chosen, for the default. */
type ChosenEnd = { expiresAtMs: number | null | undefined }

/** The tracks, permissions, lifetime and name of a further token of an event. */
export type TokenGrant = ChosenEnd & { permissions: readonly string[]; userId: string | null; label: string | null }

/** Someone for whom a token is made. The name is its label. */
type Person = { userId: string; name: string | null }

/** Optional fields of a new event. */
type EventDetails = Partial<Omit<EventRow, 'id' | 'name' | 'created_at' | 'deleted_at' | 'binned_at'>>

type Deps = {
  events: EventsStore
  appTokens: AppTokensStore
  notices: Notices | undefined
  tokenKeys: Keys
  now: () => number
}

/** Derives the keys that seal app tokens and share tokens for display. */
export function deriveTokenKeys(secrets: Secrets): Keys {
  return deriveKeys(secrets, TOKENS_PURPOSE)
}

/** Events and their app tokens, for the dashboard and the command line. */
export type EventTokens = ReturnType<typeof createEventTokens>

/** Creates events and their app tokens. */
export function createEventTokens({ events, appTokens, notices, tokenKeys, now }: Deps) {
  const tokens = createCredentials({
    kind: APP_TOKENS,
    store: appTokens,
    findOwner: events.find,
    notices,
    sealingKeys: tokenKeys,
    now,
  })

  /** Returns the stored form of a token. Tokens of people end with the event, unless an end was chosen. */
  function granted({ userId, expiresAtMs, ...grant }: TokenGrant, lastDay: string | null) {
    const endMs = expiresAtMs === undefined ? defaultTokenEndMs(userId, lastDay, now()) : expiresAtMs
    return { ...grant, expiresAtMs: endMs, own: { user_id: userId } }
  }

  /** @throws eventNotFound */
  async function lastDayOf(eventId: string): Promise<string | null> {
    const event = await events.get(eventId)
    return event.ends_on
  }

  return {
    ...tokens,
    labelOf: appTokens.labelOf,

    /** Creates an event with its first token. */
    async create(name: string, details: EventDetails = {}) {
      const event = { ...details, id: randomUUID(), name, created_at: now(), deleted_at: null, binned_at: null }
      const token = tokens.issueFirst(event.id)
      await appTokens.createEvent(event, token.row)
      return { id: event.id, name, token }
    },

    /** Creates tokens, all or none. The event's others stay valid. @throws eventNotFound */
    async add(eventId: string, grants: readonly TokenGrant[]): Promise<IssuedToken[]> {
      const lastDay = await lastDayOf(eventId)
      return await tokens.grant(
        eventId,
        grants.map((grant) => granted(grant, lastDay)),
      )
    },

    /**
     * Creates a token for each of these people, except for people who have a valid one already.
     * @throws eventNotFound
     */
    async addParticipants(
      eventId: string,
      people: readonly Person[],
      { expiresAtMs }: ChosenEnd,
    ): Promise<IssuedToken[]> {
      const lastDay = await lastDayOf(eventId)
      const issued = people.map(({ userId, name }) => {
        const grant = { permissions: PARTICIPANT_PERMISSIONS, userId, expiresAtMs, label: name }
        return tokens.issue(eventId, granted(grant, lastDay))
      })
      const rows = issued.map(({ row }) => row)
      const known = await appTokens.addMissing(eventId, rows, now())
      if (known === undefined) throw eventNotFound()
      return issued.filter(({ row }) => !known.has(row.user_id!))
    },
  }
}

/** Represents a token without its text. Where the text is unknown, the mask is the beginning of all tokens. */
export function tokenJson(row: AppToken, text: string | undefined): AppTokenJson {
  const { masked, ...fields } = credentialJson(row, text, PERMISSIONS)
  return { ...fields, masked: masked ?? 'trk_…', user_id: row.user_id }
}

/** Represents a token with its text. */
export function shownTokenJson(row: AppToken, text: string | undefined): ShownAppTokenJson {
  return { ...tokenJson(row, text), token: text ?? null }
}
