import Type, { type Static } from 'typebox'
import { ACTIVITY_TYPES } from '../domain/activity-type.ts'
import { TRACK_STATES } from '../domain/track-state.ts'
import { moment, type Nullable, nullableMoment, nullableText, TRACK_ID } from './fields.ts'

/** Maximum and default `limit` of the list of an event's tracks. */
const MAX_OPERATOR_TRACKS_PER_PAGE = 500
export const DEFAULT_OPERATOR_TRACKS_PER_PAGE = 50
const TRACK_SORTS = ['start', 'title', 'distance', 'duration', 'points', 'updated'] as const

export const StatisticsSummary = Type.Object(
  {
    distance_meters: Type.Number({ examples: [3412.08] }),
    duration_sec: Type.Number({ examples: [2831] }),
    moving_time_sec: Type.Optional(Type.Number({ examples: [2588] })),
    elevation_gain_m: Type.Number({ examples: [40.5] }),
    mean_speed_mps: Type.Number({ examples: [1.2053] }),
    pace_sec_per_km: Type.Number({ examples: [829.7] }),
  },
  { title: 'StatisticsSummary', description: 'Statistics as last computed; points may have arrived since.' },
)
export type StatisticsSummary = Static<typeof StatisticsSummary>

const sharedTrackFields = {
  id: Type.String({ format: 'uuid', examples: [TRACK_ID] }),
  title: Type.String({ examples: ['Around the lake'] }),
  activity_type: Type.Enum(ACTIVITY_TYPES, { examples: ['walk'] }),
  state: Type.Enum(TRACK_STATES, { examples: ['running'] }),
  start_ts: moment('In UTC.'),
  end_ts: nullableMoment('Null without an end.'),
  points_count: Type.Integer({ description: 'Stored points.', examples: [567] }),
  last_point_at: nullableMoment('Time of the latest point; null without points.'),
  updated_at: moment('Time of the latest change or new point.'),
  stats: Type.Unsafe<Nullable<StatisticsSummary>>({
    ...StatisticsSummary,
    type: ['object', 'null'],
    description: 'Null until computed.',
  }),
}

/** A track for spectators. Only its title may reveal its owner. */
export const SharedTrack = Type.Object(sharedTrackFields, { title: 'SharedTrack' })
export type SharedTrack = Static<typeof SharedTrack>

export const TrackSummary = Type.Object(
  {
    ...sharedTrackFields,
    device_track_id: Type.String({ examples: ['phone-7f3a-2026-05-03'] }),
    user_id: nullableText({ description: 'Null if not set.', examples: ['user-42'] }),
  },
  { title: 'TrackSummary' },
)
export type TrackSummary = Static<typeof TrackSummary>

export const TrackSummaryList = Type.Object(
  {
    tracks: Type.Array(TrackSummary),
    total: Type.Integer({
      description: 'Number of matching tracks on all pages.',
      examples: [212],
    }),
    next_cursor: nullableText({ description: 'The `cursor` of the next page; null on the last.', examples: [null] }),
  },
  { title: 'TrackSummaryList' },
)
export type TrackSummaryList = Static<typeof TrackSummaryList>

export const TrackSummariesQuery = Type.Object({
  q: Type.Optional(
    Type.String({
      maxLength: 500,
      description: 'Text in the title, `user_id` or `device_track_id`. Case and accents are ignored.',
      examples: ['lake'],
    }),
  ),
  state: Type.Optional(Type.Enum(TRACK_STATES, { description: 'Only tracks in this state.' })),
  activity_type: Type.Optional(Type.Enum(ACTIVITY_TYPES, { description: 'Only tracks of this activity type.' })),
  from: Type.Optional(Type.String({ format: 'date-time', description: 'Tracks that start at this time or later.' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Tracks that start before this time.' })),
  sort: Type.Optional(Type.Enum(TRACK_SORTS, { description: 'Default `start`.' })),
  order: Type.Optional(
    Type.Enum(['asc', 'desc'] as const, { description: 'Default `asc` for titles, otherwise `desc`.' }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_OPERATOR_TRACKS_PER_PAGE,
      description: `Default ${DEFAULT_OPERATOR_TRACKS_PER_PAGE}.`,
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      maxLength: 4000,
      description: 'The `next_cursor` of the previous page, with the same sort and order.',
    }),
  ),
})
export type TrackSummariesQuery = Static<typeof TrackSummariesQuery>
