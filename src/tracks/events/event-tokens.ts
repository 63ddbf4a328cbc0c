import { randomUUID } from 'node:crypto'
import type { Notices } from '#platform/database/notices.ts'
import { deriveKeys, type Keys, type Secrets } from '#platform/security/secret.ts'
import { createOwnedTokens, type IssuedToken } from '#platform/tokens/owned-tokens.ts'
import { PARTICIPANT_PERMISSIONS } from '../domain/permission.ts'
import { defaultTokenEndMs } from '../domain/token-rules.ts'
import { eventNotFound } from '../errors.ts'
import type { AppTokenGrant, AppTokensStore } from '../storage/app-tokens-store.ts'
import type { EventsStore } from '../storage/events-store.ts'
import { TOKENS_PURPOSE } from '../storage/sealed-columns.ts'
import type { EventRow } from '../storage/tables.ts'

/** An event with the token that was made for it. */
export type EventWithToken = { id: string; name: string; token: IssuedToken }

/** The end of a new token, null for none; undefined if none was chosen, for the default. */
type ChosenEnd = { expiresAtMs: number | null | undefined }

/** The tracks, permissions, lifetime and name of a further token of an event. */
export type TokenGrant = Pick<AppTokenGrant, 'permissions' | 'userId'> & ChosenEnd & { label: string | null }

/** A token that was made, with what it is for. */
type GrantedToken = { token: IssuedToken; grant: AppTokenGrant }

/** Someone for whom a token is made. The name is its label. */
type Person = { userId: string; name: string | null }

/** Tokens that were made for people, and the `user_id` of everyone who had one before. */
type ParticipantTokens = { made: GrantedToken[]; known: ReadonlySet<string> }

/** Makes events and their app tokens, for the dashboard and the command line. */
export type EventTokens = {
  /** Makes an event with its first token. */
  create(name: string, details?: EventDetails): Promise<EventWithToken>
  /** Makes tokens, all or none. The event's others stay valid. @throws eventNotFound */
  add(eventId: string, grants: readonly TokenGrant[]): Promise<GrantedToken[]>
  /**
   * Makes a token for each of these people, except for those who have a valid one already.
   * @returns what was made, with what it is for, and the `user_id` of those who had one
   * @throws eventNotFound
   */
  addParticipants(eventId: string, people: readonly Person[], end: ChosenEnd): Promise<ParticipantTokens>
  /** Makes a first token. The event's other first tokens end after `keepMs`. @throws eventNotFound */
  rotate(eventId: string, keepMs: number, label?: string | null): Promise<EventWithToken>
  /**
   * Returns the text of the newest first token; undefined if there is none, or if it was sealed with another secret.
   * @throws eventNotFound
   */
  show(eventId: string): Promise<{ id: string; name: string; token: string | undefined }>
}

/** Optional fields of a new event. */
type EventDetails = Partial<Omit<EventRow, 'id' | 'name' | 'created_at' | 'deleted_at'>>

type Deps = {
  events: Pick<EventsStore, 'create' | 'find'>
  appTokens: Pick<AppTokensStore, 'add' | 'addMissing' | 'rotate' | 'listValid'>
  notices: Notices | undefined
  tokenKeys: Keys
  now: () => number
}

/** Derives the keys that seal app tokens and share tokens for display. */
export function deriveTokenKeys(secrets: Secrets): Keys {
  return deriveKeys(secrets, TOKENS_PURPOSE)
}

export function createEventTokens({ events, appTokens, notices, tokenKeys, now }: Deps): EventTokens {
  const firstTokens = {
    rotate: appTokens.rotate,
    listValid: async (eventId: string, nowMs: number) =>
      (await appTokens.listValid(eventId, nowMs)).filter(({ is_first }) => is_first === 1),
  }
  const tokens = createOwnedTokens({ prefix: 'trk', store: firstTokens, notices, sealingKeys: tokenKeys, now })

  async function requireEvent(id: string) {
    const event = await events.find(id)
    if (event === undefined) throw eventNotFound()
    return event
  }

  async function issue(eventId: string, grants: readonly TokenGrant[]): Promise<GrantedToken[]> {
    const { ends_on: lastDay } = await requireEvent(eventId)
    return grants.map(({ label, permissions, userId, expiresAtMs = defaultTokenEndMs(userId, lastDay, now()) }) => ({
      token: tokens.issue(label),
      grant: { permissions, userId, expiresAtMs, isFirst: false },
    }))
  }

  return {
    async create(name, details = {}) {
      const event = { ...details, id: randomUUID(), name, created_at: now(), deleted_at: null }
      const token = tokens.issue()
      await events.create(event, token.stored)
      return { id: event.id, name, token }
    },

    async add(eventId, grants) {
      const issued = await issue(eventId, grants)
      if (!(await appTokens.add(eventId, issued.map(storedOf)))) throw eventNotFound()
      return issued
    },

    async addParticipants(eventId, people, { expiresAtMs }) {
      const grants = people.map(({ userId, name }) => ({
        ...{ permissions: PARTICIPANT_PERMISSIONS, userId, expiresAtMs, label: name },
      }))
      const issued = await issue(eventId, grants)
      const known = await appTokens.addMissing(eventId, issued.map(storedOf), now())
      if (known === undefined) throw eventNotFound()
      return { made: issued.filter(({ grant }) => !known.has(grant.userId!)), known }
    },

    async rotate(eventId, keepMs, label) {
      const { id, name } = await requireEvent(eventId)
      return { id, name, token: await tokens.rotate(id, keepMs, label) }
    },

    async show(eventId) {
      const { id, name } = await requireEvent(eventId)
      return { id, name, token: await tokens.showNewest(id) }
    },
  }
}

function storedOf({ token, grant }: GrantedToken) {
  return { ...token.stored, ...grant }
}
