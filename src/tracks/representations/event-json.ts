import type { Keys } from '#platform/security/secret.ts'
import { formatDateTime } from '#platform/time/date-time.ts'
import { type IssuedToken, maskToken } from '#platform/tokens/owned-tokens.ts'
import { parsePermissions } from '#platform/tokens/permission-list.ts'
import { openToken } from '#platform/tokens/token.ts'
import { PERMISSIONS } from '../domain/permission.ts'
import { EVENT_FIELDS, type EventUpdate, type OperatorEvent } from '../schemas/events.ts'
import type { AppToken, ShownAppToken } from '../schemas/tokens.ts'
import { type AppTokenGrant, appTokenRow, tokenId } from '../storage/app-tokens-store.ts'
import type { CountedEvent } from '../storage/operator-events-store.ts'
import type { AppTokenRow } from '../storage/tables.ts'

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

/** Represents a token without its text. */
export function tokenJson(row: AppTokenRow, tokenKeys: Keys): AppToken {
  return describeToken(row, openToken(row.sealed, tokenKeys))
}

/** Represents a token with its text. */
export function shownTokenJson(row: AppTokenRow, tokenKeys: Keys): ShownAppToken {
  const text = openToken(row.sealed, tokenKeys)
  return { ...describeToken(row, text), token: text ?? null }
}

/** Represents a token that was made just now, with its text. Without a grant, it is an event's first token. */
export function issuedTokenJson({ text, stored }: IssuedToken, grant?: AppTokenGrant): ShownAppToken {
  return { ...describeToken(appTokenRow('', stored, grant), text), token: text }
}

function describeToken(row: AppTokenRow, text: string | undefined): AppToken {
  return {
    id: tokenId(row),
    label: row.label,
    masked: text === undefined ? 'trk_…' : maskToken(text),
    permissions: [...parsePermissions(row.permissions, PERMISSIONS)],
    user_id: row.user_id,
    is_first: row.is_first === 1,
    created_at: formatDateTime(row.created_at),
    expires_at: momentOrNull(row.expires_at),
    last_used_at: momentOrNull(row.last_used_at),
  }
}

/** Formats a time; null stays null. */
export function momentOrNull(timeMs: number | null): string | null {
  return timeMs === null ? null : formatDateTime(timeMs)
}
