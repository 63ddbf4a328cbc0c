import Type, { type Static } from 'typebox'
import { momentOf } from '#platform/basics/time.ts'
import { type Nullable, nullableText, ruledBy, ruledTogether } from '#platform/http/field-rules.ts'
import {
  EVENT_ID,
  effectiveTimeZone,
  GainInterval,
  LossInterval,
  moment,
  nullableMoment,
  TRACK_ID,
  trackNameField,
} from '../model/schema-fields.ts'
import { ACTIVITY_TYPES, shownPartProblems, TRACK_STATES } from '../model/track-state.ts'
import { ALTITUDE_REFERENCES, type AltitudeReference } from '../points/sea-level.ts'
import { LEFT_OUT_REASONS } from '../statistics/examined-track.ts'
import { Statistics, Track } from './track-schemas.ts'

export const Provenance = Type.Object(
  {
    statistic: Type.String({ description: 'Name of the statistic in `stats`.', examples: ['distance_meters'] }),
    source: Type.Enum(['computed', 'device'] as const, {
      description: '`device`: came with the sync and is shown as sent.',
      examples: ['computed'],
    }),
    rule: Type.String({ description: 'Fixed name of the rule, for translation.', examples: ['travelled_legs'] }),
    explanation: Type.String({
      description: 'Explanation in English.',
      examples: ['The sum of the legs that were travelled.'],
    }),
  },
  { title: 'Provenance', description: 'Origin of a statistic.' },
)
export type Provenance = Static<typeof Provenance>

export const OperatorTrack = Type.Object(
  {
    ...Track.properties,
    name: trackNameField,
    event: Type.Object(
      {
        id: Type.String({ examples: [EVENT_ID] }),
        name: Type.String({ examples: ['Trail 2026'] }),
        effective_time_zone: effectiveTimeZone,
      },
      { title: 'EventReference' },
    ),
    first_point_at: nullableMoment('Time of the first point; null without points.'),
    last_point_at: nullableMoment('Time of the latest point; null without points.'),
    shown_from: nullableMoment('Start of the part that is shown and counted; null for that of the track.'),
    shown_until: nullableMoment('End of the part that is shown and counted; null for that of the track.'),
    pauses: Type.Array(
      Type.Object(
        { from: moment('Start of the pause.'), to: nullableMoment('End of the pause; null while it lasts.') },
        { title: 'Pause' },
      ),
    ),
    points_used: Type.Integer({
      description: 'Number of points of the shown part that statistics use.',
      examples: [560],
    }),
    points_left_out: Type.Array(
      Type.Object(
        {
          reason: Type.Enum(LEFT_OUT_REASONS, { examples: ['inaccurate'] }),
          count: Type.Integer({ examples: [7] }),
        },
        { title: 'LeftOutCount' },
      ),
      { description: 'Number of points that statistics leave out, for every reason, also 0.' },
    ),
    altitudes_left_out: Type.Integer({
      description: 'Number of altitudes that leap away and back, of points that are used otherwise.',
      examples: [0],
    }),
    shown_stats: Type.Optional(Statistics),
    provenance: Type.Array(Provenance, { description: 'Of `shown_stats` if the track is trimmed.' }),
  },
  {
    title: 'OperatorTrack',
    description:
      'The track as the app gets it, with the provenance of its statistics. A trimmed track has `shown_stats`, those of the part that is shown.',
  },
)
export type OperatorTrack = Static<typeof OperatorTrack>

export const OperatorTrackUpdate = Type.Object(
  {
    title: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        ...ruledBy((text) => (text.trim() === '' ? 'must not be blank' : undefined)),
        examples: ['Around the lake'],
      }),
    ),
    activity_type: Type.Optional(
      Type.Enum(ACTIVITY_TYPES, { description: 'Statistics depend on it.', examples: ['bike'] }),
    ),
    user_id: Type.Optional(nullableText({ maxLength: 255, description: 'The person.', examples: ['user-42'] })),
    altitude_reference: Type.Optional(
      Type.Unsafe<Nullable<AltitudeReference>>({
        type: ['string', 'null'],
        enum: [...ALTITUDE_REFERENCES, null],
        description: 'Zero of the altitudes of points that do not say it themselves; null for unknown.',
        examples: ['ellipsoid'],
      }),
    ),
    shown_from: Type.Optional(
      nullableMoment('Start of the part that is shown and counted, for spectators and in statistics.'),
    ),
    shown_until: Type.Optional(nullableMoment('End of that part, after `shown_from`.')),
  },
  {
    title: 'OperatorTrackUpdate',
    ...ruledTogether(({ shown_from, shown_until }) => shownPartProblems(momentOf(shown_from), momentOf(shown_until))),
  },
)
export type OperatorTrackUpdate = Static<typeof OperatorTrackUpdate>

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
    elevation_gain_interval_m: Type.Optional(GainInterval),
    elevation_loss_m: Type.Number({ examples: [38.25] }),
    elevation_loss_interval_m: Type.Optional(LossInterval),
    mean_speed_mps: Type.Number({ examples: [1.2053] }),
    pace_sec_per_km: Type.Number({ examples: [829.7] }),
  },
  { title: 'StatisticsSummary', description: 'Statistics as last computed; points may have arrived since.' },
)
export type StatisticsSummary = Static<typeof StatisticsSummary>

const sharedTrackFields = {
  id: Type.String({ format: 'uuid', examples: [TRACK_ID] }),
  name: trackNameField,
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

/** A track for spectators. Only its name and title may reveal its owner. */
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

const ID_PATTERN = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
/** Most tracks that one request names. */
const MAX_IDS = 100

export const TrackSummariesQuery = Type.Object({
  ids: Type.Optional(
    Type.String({
      pattern: `^${ID_PATTERN}(?:,${ID_PATTERN}){0,${MAX_IDS - 1}}$`,
      description: `Only these tracks, at most ${MAX_IDS}, separated by commas, in no order. All other parameters are ignored.`,
      examples: [TRACK_ID],
    }),
  ),
  q: Type.Optional(
    Type.String({
      maxLength: 500,
      description:
        'Text in the name of the runner, the title, `user_id` or `device_track_id`. Case and accents are ignored.',
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
