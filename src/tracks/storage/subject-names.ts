import type { Kysely } from 'kysely'
import type { NamesByKind } from '#platform/audit/find-name.ts'
import { createAppTokensStore, tokenId } from './app-tokens-store.ts'
import { createEventsStore } from './events-store.ts'
import { createOperatorTracksStore } from './operator-tracks-store.ts'
import { createSharesStore } from './shares-store.ts'
import type { TracksTables } from './tables.ts'

/** Returns what finds the names of events, tokens, tracks and shares, for the audit log. */
export function tracksSubjectNames(db: Kysely<TracksTables>, now: () => number): NamesByKind {
  const [events, appTokens] = [createEventsStore(db), createAppTokensStore(db)]
  const [tracks, shares] = [createOperatorTracksStore(db), createSharesStore(db)]
  return {
    event: async (id) => (await events.find(id))?.name,
    track: async (id) => (await tracks.find(id))?.title,
    share: async (id) => (await shares.find(id))?.track_title,
    token: async (id, eventId) => {
      if (eventId === undefined) return undefined
      const token = (await appTokens.listValid(eventId, now())).find((one) => tokenId(one) === id)
      return token?.label ?? token?.user_id
    },
  }
}
