import { formatDateTime, momentOrNull } from '#platform/basics/time.ts'
import { credentialJson } from '#platform/credentials/credential-json.ts'
import { PERMISSIONS } from '../model/event-rules.ts'
import type { CountedEvent } from '../model/events-store.ts'
import { EVENT_FIELDS, type EventUpdate, type OperatorEvent } from './event-schemas.ts'
import type { AppToken as StoredToken } from './event-tokens.ts'
import type { AppToken, ShownAppToken } from './token-schemas.ts'

/** Represents an event for operators. `titleTimeZone` is the zone of events without one of their own. */
export function eventJson({ event, counts }: CountedEvent, titleTimeZone: string): OperatorEvent {
  return {
    id: event.id,
    name: event.name,
    note: event.note,
    starts_on: event.starts_on,
    ends_on: event.ends_on,
    max_tracks: event.max_tracks,
    max_points: event.max_points,
    time_zone: event.time_zone,
    effective_time_zone: event.time_zone ?? titleTimeZone,
    no_signal_after_sec: event.no_signal_after_sec,
    low_battery_percent: event.low_battery_percent,
    spectator_delay_sec: event.spectator_delay_sec,
    retention_days: event.retention_days,
    rehearsal_of: event.rehearsal_of,
    created_at: formatDateTime(event.created_at),
    tracks_count: counts.tracks,
    running_tracks_count: counts.runningTracks,
    points_count: counts.points,
    last_point_at: momentOrNull(counts.lastPointMs),
  }
}

/** Returns the columns of an event that a body gives. */
export function eventColumns<Body extends EventUpdate>(body: Body): Body {
  const columns = Object.fromEntries(
    EVENT_FIELDS.flatMap((name) => {
      const value = body[name as keyof EventUpdate]
      return value === undefined ? [] : [[name, value]]
    }),
  )
  return columns as Body
}

/** Represents a token without its text. Where the text is unknown, the mask is the beginning of all tokens. */
export function tokenJson(row: StoredToken, text: string | undefined): AppToken {
  const { masked, ...fields } = credentialJson(row, text, PERMISSIONS)
  return { ...fields, masked: masked ?? 'trk_…', user_id: row.user_id }
}

/** Represents a token with its text. */
export function shownTokenJson(row: StoredToken, text: string | undefined): ShownAppToken {
  return { ...tokenJson(row, text), token: text ?? null }
}
