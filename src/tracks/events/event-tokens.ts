import { randomUUID } from 'node:crypto'
import type { Notices } from '#platform/database/notices.ts'
import { newToken, openToken, sealToken, tokenHash } from '#platform/tokens/token.ts'
import { announceEndedTokens } from '#platform/tokens/token-lookup.ts'
import { eventNotFound } from '../errors.ts'
import type { EventsStore } from '../storage/events-store.ts'
import type { EventRow } from '../storage/tables.ts'

/** What one does with events and their tokens, from the dashboard and from the command line alike. */
export type EventTokens = {
  /** Makes an event with its first token. */
  create(name: string, details?: EventDetails): Promise<{ id: string; name: string; token: string }>
  /** Makes a further token beside the others. @throws eventNotFound */
  add(eventId: string, label: string | null): Promise<{ id: string; name: string; token: string }>
  /**
   * Makes a new token; the others end after `keepMs`, at once by default.
   * @throws eventNotFound
   */
  rotate(eventId: string, keepMs: number, label?: string | null): Promise<{ id: string; name: string; token: string }>
  /** The newest token, to be shown; undefined where it was sealed under another secret. @throws eventNotFound */
  show(eventId: string): Promise<{ id: string; name: string; token: string | undefined }>
}

/** What an event may have besides its name. */
export type EventDetails = Partial<Pick<EventRow, 'note' | 'starts_on' | 'ends_on' | 'max_tracks' | 'max_points'>>

const TOKEN_PREFIX = 'trk'

type Deps = { events: EventsStore; notices: Notices | undefined; tokenKey: Buffer; now: () => number }

export function createEventTokens({ events, notices, tokenKey, now }: Deps): EventTokens {
  function freshToken(label: string | null = null) {
    const token = newToken(TOKEN_PREFIX)
    const stored = { tokenSha256: tokenHash(token), sealed: sealToken(token, tokenKey), createdAtMs: now(), label }
    return { token, stored }
  }

  async function requireEvent(id: string) {
    const event = await events.find(id)
    if (event === undefined) throw eventNotFound()
    return event
  }

  return {
    async create(name, details = {}) {
      const event = { ...details, id: randomUUID(), name, created_at: now(), deleted_at: null }
      const { token, stored } = freshToken()
      await events.create(event, stored)
      return { id: event.id, name, token }
    },

    async add(eventId, label) {
      const { id, name } = await requireEvent(eventId)
      const { token, stored } = freshToken(label)
      await events.addFurtherToken(id, stored)
      return { id, name, token }
    },

    async rotate(eventId, keepMs, label) {
      const { id, name } = await requireEvent(eventId)
      const { token, stored } = freshToken(label)
      await events.addToken(id, stored, now() + keepMs)
      await announceEndedTokens(notices, id)
      return { id, name, token }
    },

    async show(eventId) {
      const { id, name } = await requireEvent(eventId)
      const [newest] = await events.tokens(id, now())
      return { id, name, token: newest === undefined ? undefined : openToken(newest.sealed, tokenKey) }
    },
  }
}
