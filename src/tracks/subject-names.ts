import type { Kysely } from 'kysely'
import { momentOrNull } from '#platform/basics/time.ts'
import type { NamesByKind, ValuesByKind } from '#platform/credentials/audited.ts'
import { webhookValues } from '#platform/webhooks/endpoints-store.ts'
import type { WebhookTables } from '#platform/webhooks/tables.ts'
import { createAppTokensStore } from './api/event-tokens.ts'
import { nameOfBinnedEvent, nameOfBinnedTrack } from './model/bin-store.ts'
import { createEventsStore } from './model/events-store.ts'
import { createOperatorTracksStore } from './model/operator-tracks-store.ts'
import { trackName } from './model/runner-names.ts'
import type { TracksTables } from './model/tables.ts'
import { createRaceStore } from './race/store.ts'
import { createSharesStore } from './shares/store.ts'

/** Returns a function that finds the names of events, tokens, tracks and shares, for the audit log. */
export function tracksSubjectNames(db: Kysely<TracksTables>, now: () => number): NamesByKind {
  const [events, appTokens] = [createEventsStore(db), createAppTokensStore(db)]
  const [tracks, shares] = [createOperatorTracksStore(db), createSharesStore(db)]
  return {
    event: async (id) => (await events.find(id))?.name ?? (await nameOfBinnedEvent(db, id)),
    async track(id) {
      const track = await tracks.find(id)
      return track === undefined ? await nameOfBinnedTrack(db, id) : trackName(track)
    },
    share: async (id) => (await shares.find(id))?.track_title,
    token: async (id, eventId) => {
      if (eventId === undefined) return undefined
      const token = await appTokens.findById(eventId, id, now())
      return token?.label ?? token?.user_id
    },
  }
}

/**
 * Returns a function that finds the values of events, their races, tokens, tracks, shares and webhooks, for the audit
 * log.
 */
export function tracksSubjectValues(db: Kysely<TracksTables>, now: () => number): ValuesByKind {
  const [events, appTokens, races] = [createEventsStore(db), createAppTokensStore(db), createRaceStore(db)]
  const [tracks, shares] = [createOperatorTracksStore(db), createSharesStore(db)]
  return {
    ...webhookValues(db as unknown as Kysely<WebhookTables>),
    async event(id) {
      const [event, race] = await Promise.all([events.find(id), races.findSummary(id)])
      if (event === undefined) return undefined
      const { starts_at_ms, time_basis, stated_climb_m, course_name } = race
      return { ...event, race_starts_at: momentOrNull(starts_at_ms), time_basis, stated_climb_m, course_name }
    },
    async 'event course'(id) {
      const { course_name, course_length_m: meters, checkpoints } = await races.findSummary(id)
      if (meters === null) return {}
      return { course_name, course_length_m: Math.round(meters), checkpoints: JSON.parse(checkpoints) }
    },
    'event checkpoints': async (id) => ({ checkpoints: JSON.parse((await races.findSummary(id)).checkpoints) }),
    'event runners': async (id) => ({ runners_count: await races.countRunners(id) }),
    async track(id) {
      const track = await tracks.find(id)
      return track && { shown_from: momentOrNull(track.shown_from_ms), shown_until: momentOrNull(track.shown_until_ms) }
    },
    async share(id) {
      const share = await shares.find(id)
      return share && { label: share.label, track_id: share.track_id, expires_at: momentOrNull(share.expires_at) }
    },
    async token(id, eventId = '') {
      const token = await appTokens.findById(eventId, id, now())
      if (token === undefined) return undefined
      const { label, user_id, permissions, expires_at } = token
      return { label, user_id, permissions: permissions.split(','), expires_at: momentOrNull(expires_at) }
    },
  }
}
