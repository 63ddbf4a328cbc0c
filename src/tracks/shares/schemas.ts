import Type, { type Static } from 'typebox'
import { nullableText } from '#platform/http/field-rules.ts'
import { SharedTrack, TrackSummariesQuery } from '../api/operator-track-schemas.ts'
import { DEFAULT_NO_SIGNAL_AFTER_SEC, eventEndMs } from '../model/event-rules.ts'
import { date, effectiveTimeZone, moment, nullableMoment } from '../model/schema-fields.ts'

const DAY_MS = 86_400_000

/** Shortest default, in days. Long enough for an event that is announced some weeks before. */
const DEFAULT_SHARE_DAYS = 30

/** Days after the last day of an event for which its links work, in which most people look at results. */
const DAYS_AFTER_EVENT = 7

/**
 * Returns the end of a share for which none was chosen: 30 days from now, or 7 days after the last day of its event,
 * whichever is later. A link that is forgotten then ends by itself, and never before people have looked at the event.
 */
export function defaultShareEndMs(lastDay: string | null, nowMs: number): number {
  const afterDays = nowMs + DEFAULT_SHARE_DAYS * DAY_MS
  const endMs = eventEndMs(lastDay)
  return endMs === undefined ? afterDays : Math.max(afterDays, endMs + DAYS_AFTER_EVENT * DAY_MS)
}

export const ShareCreate = Type.Object(
  {
    track_id: Type.Optional(nullableText({ description: 'One track of the event. Default: the whole event.' })),
    label: Type.Optional(nullableText({ maxLength: 200, description: 'Audience of the share.' })),
    expires_at: Type.Optional(
      nullableText({
        format: 'date-time',
        description: `End of the share. Default: ${DEFAULT_SHARE_DAYS} days from now, or ${DAYS_AFTER_EVENT} days after the last day of the event, whichever is later.`,
      }),
    ),
    never_expires: Type.Optional(
      Type.Boolean({
        description: 'True for a share without an end, together with no `expires_at`.',
        examples: [false],
      }),
    ),
  },
  { title: 'ShareCreate' },
)
export type ShareCreate = Static<typeof ShareCreate>

export const Share = Type.Object(
  {
    id: Type.String({ format: 'uuid', examples: ['9b2f5c1e-3d7a-4e0b-8c6d-1f2a3b4c5d6e'] }),
    track_id: nullableText({ description: 'Null for a share of the whole event.', examples: [null] }),
    track_title: nullableText({
      description: 'Title of the track; null if it was deleted, or for the whole event.',
      examples: [null],
    }),
    label: nullableText({ description: 'Audience of the share; null if not set.', examples: ['Families'] }),
    masked: nullableText({
      description: 'Beginning and end of the token in the link; null if it was created with another secret.',
      examples: ['shr_Zm9v…YmFy'],
    }),
    url: nullableText({
      description: 'Link for spectators; null if it is masked, or was created with another secret.',
      examples: ['https://tracks.example.org/s/shr_Zm9vYmFy'],
    }),
    created_at: moment('Time of creation.'),
    expires_at: nullableMoment('End of the share; null for never.'),
    revoked_at: nullableMoment('Time of revocation; null if not revoked.'),
  },
  { title: 'Share' },
)
export type Share = Static<typeof Share>

export const SharesQuery = Type.Object({
  links: Type.Optional(
    Type.Enum(['plain', 'masked'] as const, {
      description: 'With `masked`, `url` is null, and no confirmation is needed. Default `plain`.',
    }),
  ),
})
export type SharesQuery = Static<typeof SharesQuery>

export const ShareList = Type.Object({ shares: Type.Array(Share) }, { title: 'ShareList' })
export type ShareList = Static<typeof ShareList>

export const SharedView = Type.Object(
  {
    kind: Type.Enum(['event', 'track'] as const, { examples: ['event'] }),
    title: Type.String({ description: 'Name of the event, or title of the track.', examples: ['Trail 2026'] }),
    event: Type.Object(
      {
        name: Type.String({ examples: ['Trail 2026'] }),
        starts_on: date('First day.'),
        ends_on: date('Last day.'),
        effective_time_zone: effectiveTimeZone,
        no_signal_after_sec: Type.Integer({
          description: 'Silence, in seconds, after which a track in progress is shown without a signal.',
          examples: [DEFAULT_NO_SIGNAL_AFTER_SEC],
        }),
        spectator_delay_sec: Type.Integer({
          description: 'Time, in seconds, by which everything behind the share is shown later; 0 for none.',
          examples: [0],
        }),
      },
      { title: 'SharedEvent' },
    ),
    track_id: nullableText({ description: 'The shared track; null for the whole event.', examples: [null] }),
    expires_at: nullableMoment('End of the share; null for never.'),
  },
  { title: 'SharedView', description: 'A share as spectators see it.' },
)
export type SharedView = Static<typeof SharedView>

export const SharedTrackList = Type.Object(
  { tracks: Type.Array(SharedTrack), next_cursor: nullableText({ examples: [null] }) },
  { title: 'SharedTrackList', description: 'Newest start first.' },
)
export type SharedTrackList = Static<typeof SharedTrackList>

export const SharedTracksQuery = Type.Object({
  ids: TrackSummariesQuery.properties.ids,
  limit: TrackSummariesQuery.properties.limit,
  cursor: TrackSummariesQuery.properties.cursor,
})
export type SharedTracksQuery = Static<typeof SharedTracksQuery>
