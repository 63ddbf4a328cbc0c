import Type, { type Static } from 'typebox'
import { ACTIVITY_TYPES, TRACK_STATES, Track } from './schemas.ts'

// What the operator's endpoints and the shared pages take and give. The dashboard takes its types from here.

/** Largest and usual `limit` of the list of an event's tracks. */
export const MAX_OPERATOR_TRACKS_PER_PAGE = 500
export const USUAL_OPERATOR_TRACKS_PER_PAGE = 50
/** Largest and usual `limit` of the raw points. */
export const MAX_RAW_POINTS_PER_PAGE = 1000
export const USUAL_RAW_POINTS_PER_PAGE = 100
/** Largest, smallest and usual number of points of a series. */
export const MAX_SERIES_POINTS = 20_000
export const MIN_SERIES_POINTS = 50
export const USUAL_SERIES_POINTS = 2000

export const TRACK_SORTS = ['start', 'title', 'distance', 'duration', 'points', 'updated'] as const
export const EXPORT_FORMATS = ['gpx', 'geojson', 'csv'] as const
/** Why a point is not among those that the statistics are made of. */
export const LEFT_OUT_REASONS = ['same_time', 'inaccurate', 'spike'] as const
/** Why the line of a track is broken before a point. */
export const GAP_REASONS = ['pause', 'stop', 'teleport'] as const

const EVENT_ID = '5d0c7a5e-9a53-4c1c-8d70-0c7f2f0a9b11'
const TRACK_ID = '0b51a2de-6f0c-4f2b-9f0e-5f6c8d1e2a77'

type Nullable<T> = T | null

const nullable = <T>(type: string, options: object = {}) =>
  Type.Unsafe<Nullable<T>>({ type: [type, 'null'], ...options })
const nullableText = (options: object = {}) => nullable<string>('string', options)
const nullableNumber = (options: object = {}) => nullable<number>('number', options)
const nullableInteger = (options: object = {}) => nullable<number>('integer', options)
const moment = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-05-03T06:15:00.000Z'] })
const nullableMoment = (description: string) =>
  nullableText({ format: 'date-time', description, examples: ['2026-05-03T06:15:00.000Z'] })
const numbers = (description: string, examples: number[]) =>
  Type.Array(Type.Number(), { description, examples: [examples] })
const nullableNumbers = (description: string, examples: Nullable<number>[]) =>
  Type.Array(nullableNumber(), { description, examples: [examples] })

const eventId = Type.String({ description: "The event's `id`.", examples: [EVENT_ID] })
const trackId = Type.String({ description: "The track's `id`.", examples: [TRACK_ID] })

export const EventParams = Type.Object({ id: eventId })
export const EventTokenParams = Type.Object({
  id: eventId,
  tokenId: Type.String({ description: "The token's `id`." }),
})
export const ShareParams = Type.Object({ id: Type.String({ description: "The share's `id`." }) })
export const SharedParams = Type.Object({ token: Type.String({ description: 'What the shared address ends with.' }) })
export const SharedTrackParams = Type.Object({ ...SharedParams.properties, id: trackId })

// Events

const date = (description: string) =>
  nullableText({
    pattern: '^\\d{4}-\\d{2}-\\d{2}$',
    description: `${description} A date of the calendar, such as \`2026-05-03\`; null for none.`,
    examples: ['2026-05-03'],
  })
const name = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'What people call it.',
  examples: ['Trail 2026'],
})
const eventFields = {
  note: nullableText({ maxLength: 5000, description: 'For the operators alone.', examples: ['Start at the lake'] }),
  starts_on: date('First day.'),
  ends_on: date('Last day, not before the first.'),
  max_tracks: nullableInteger({
    minimum: 0,
    maximum: 1_000_000_000,
    description: 'Tracks that the event may have at most; null for no limit. A further one is refused with 403.',
    examples: [500],
  }),
  max_points: nullableInteger({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description:
      'Stored points from which on further ones are refused with 403; null for no limit. Noticed within a few seconds.',
    examples: [10_000_000],
  }),
}

export const NewEvent = Type.Object(
  { name, ...Type.Partial(Type.Object(eventFields)).properties },
  { title: 'NewEvent' },
)
export type NewEvent = Static<typeof NewEvent>

export const EventChange = Type.Partial(Type.Object({ name, ...eventFields }), {
  title: 'EventChange',
  description: 'What is left out stays; null takes a value away.',
})
export type EventChange = Static<typeof EventChange>

export const OperatorEvent = Type.Object(
  {
    id: Type.String({ format: 'uuid', examples: [EVENT_ID] }),
    name: Type.String({ examples: ['Trail 2026'] }),
    ...eventFields,
    created_at: moment('When it was made.'),
    tracks_count: Type.Integer({ description: 'Tracks in any state.', examples: [212] }),
    running_tracks_count: Type.Integer({ description: 'Tracks in the state `running`.', examples: [40] }),
    points_count: Type.Integer({ description: 'Stored points of all tracks.', examples: [1_204_332] }),
    last_point_at: nullableMoment('Time of the latest point of all; null without points.'),
  },
  { title: 'OperatorEvent' },
)
export type OperatorEvent = Static<typeof OperatorEvent>

export const OperatorEventList = Type.Object({ events: Type.Array(OperatorEvent) }, { title: 'OperatorEventList' })
export type OperatorEventList = Static<typeof OperatorEventList>

// Tokens

const tokenFields = {
  id: Type.String({
    description: 'Names the token, and opens nothing.',
    examples: ['9f86d081884c7d659a2feaa0c55ad015'],
  }),
  label: nullableText({ description: 'Whose it is, or for what; null when none.', examples: ['Timing team'] }),
  masked: Type.String({ description: 'Its beginning and its end.', examples: ['trk_Zm9v…YmFy'] }),
  created_at: moment('When it was made.'),
  expires_at: nullableMoment('When it ends; null while nothing ends it.'),
  last_used_at: nullableMoment('Of late, to the minute; null when it was never used.'),
}

export const AppToken = Type.Object(tokenFields, { title: 'AppToken' })
export type AppToken = Static<typeof AppToken>

export const AppTokenList = Type.Object({ tokens: Type.Array(AppToken) }, { title: 'AppTokenList' })
export type AppTokenList = Static<typeof AppTokenList>

export const ShownAppToken = Type.Object(
  {
    ...tokenFields,
    token: nullableText({
      description: 'In plain text; null where it was made under another secret and cannot be shown.',
      examples: ['trk_Zm9v…'],
    }),
  },
  { title: 'ShownAppToken' },
)
export type ShownAppToken = Static<typeof ShownAppToken>

export const CreatedEvent = Type.Object(
  { ...OperatorEvent.properties, token: ShownAppToken },
  { title: 'CreatedEvent', description: 'The event with its first token in plain text.' },
)
export type CreatedEvent = Static<typeof CreatedEvent>

export const NewAppToken = Type.Object(
  { label: Type.Optional(nullableText({ maxLength: 200, description: 'Whose it is, or for what.' })) },
  { title: 'NewAppToken' },
)
export type NewAppToken = Static<typeof NewAppToken>

export const TokenRotation = Type.Object(
  {
    keep_sec: Type.Optional(
      nullableInteger({
        minimum: 0,
        maximum: 365 * 86_400,
        description: 'The other tokens end after so many seconds; at once by default.',
        examples: [86_400],
      }),
    ),
    label: Type.Optional(nullableText({ maxLength: 200, description: 'Of the new token.' })),
  },
  { title: 'TokenRotation' },
)
export type TokenRotation = Static<typeof TokenRotation>

// Tracks of an event

export const StatisticsSummary = Type.Object(
  {
    distance_meters: Type.Number({ examples: [3412.08] }),
    duration_sec: Type.Number({ examples: [2831] }),
    moving_time_sec: Type.Optional(Type.Number({ examples: [2588] })),
    elevation_gain_m: Type.Number({ examples: [40.5] }),
    mean_speed_mps: Type.Number({ examples: [1.2053] }),
    pace_sec_per_km: Type.Number({ examples: [829.7] }),
  },
  { title: 'StatisticsSummary', description: 'Statistics as they were last computed; points may have come since.' },
)
export type StatisticsSummary = Static<typeof StatisticsSummary>

const sharedTrackFields = {
  id: Type.String({ format: 'uuid', examples: [TRACK_ID] }),
  title: Type.String({ examples: ['Around the lake'] }),
  activity_type: Type.Enum(ACTIVITY_TYPES, { examples: ['walk'] }),
  state: Type.Enum(TRACK_STATES, { examples: ['running'] }),
  start_ts: moment('In UTC.'),
  end_ts: nullableMoment('Null while no end is set.'),
  points_count: Type.Integer({ description: 'Stored points.', examples: [567] }),
  last_point_at: nullableMoment('Time of the latest point; null without points.'),
  updated_at: moment('Moves with every change and with new points.'),
  stats: Type.Unsafe<Nullable<StatisticsSummary>>({
    ...StatisticsSummary,
    type: ['object', 'null'],
    description: 'Null where none were computed yet.',
  }),
}

/** A track as spectators see it: nothing tells whose it is but its title. */
export const SharedTrack = Type.Object(sharedTrackFields, { title: 'SharedTrack' })
export type SharedTrack = Static<typeof SharedTrack>

export const TrackSummary = Type.Object(
  {
    ...sharedTrackFields,
    device_track_id: Type.String({ examples: ['phone-7f3a-2026-05-03'] }),
    user_id: nullableText({ description: 'Null when none.', examples: ['user-42'] }),
  },
  { title: 'TrackSummary' },
)
export type TrackSummary = Static<typeof TrackSummary>

export const TrackSummaryList = Type.Object(
  {
    tracks: Type.Array(TrackSummary),
    total: Type.Integer({
      description: 'Tracks that the search and the filters leave, on all pages.',
      examples: [212],
    }),
    next_cursor: nullableText({ description: '`cursor` of the next page; null on the last.', examples: [null] }),
  },
  { title: 'TrackSummaryList' },
)
export type TrackSummaryList = Static<typeof TrackSummaryList>

export const TrackSummariesQuery = Type.Object({
  q: Type.Optional(
    Type.String({
      maxLength: 500,
      description: 'Text in the title, `user_id` or `device_track_id`; case and accents make no difference.',
      examples: ['lake'],
    }),
  ),
  state: Type.Optional(Type.Enum(TRACK_STATES, { description: 'Only tracks in this state.' })),
  activity_type: Type.Optional(Type.Enum(ACTIVITY_TYPES, { description: 'Only tracks of this kind.' })),
  from: Type.Optional(Type.String({ format: 'date-time', description: 'Tracks that start at this time or later.' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Tracks that start before this time.' })),
  sort: Type.Optional(Type.Enum(TRACK_SORTS, { description: 'Default `start`.' })),
  order: Type.Optional(Type.Enum(['asc', 'desc'] as const, { description: 'Default `desc`, for titles `asc`.' })),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_OPERATOR_TRACKS_PER_PAGE,
      description: `Default ${USUAL_OPERATOR_TRACKS_PER_PAGE}.`,
    }),
  ),
  cursor: Type.Optional(
    Type.String({ maxLength: 4000, description: '`next_cursor` of the page before, with the same sort and order.' }),
  ),
})
export type TrackSummariesQuery = Static<typeof TrackSummariesQuery>

// One track

export const Provenance = Type.Object(
  {
    statistic: Type.String({ description: 'Name of the figure in `stats`.', examples: ['distance_meters'] }),
    source: Type.Enum(['computed', 'device'] as const, {
      description: '`device`: the figure came with the sync and is shown as given.',
      examples: ['computed'],
    }),
    rule: Type.String({ description: 'A fixed word for the rule, to be translated.', examples: ['travelled_legs'] }),
    explanation: Type.String({
      description: 'The rule in English.',
      examples: ['The sum of the legs that were travelled.'],
    }),
  },
  { title: 'Provenance', description: 'How one figure was made.' },
)
export type Provenance = Static<typeof Provenance>

export const OperatorTrack = Type.Object(
  {
    ...Track.properties,
    event: Type.Object({ id: Type.String({ examples: [EVENT_ID] }), name: Type.String({ examples: ['Trail 2026'] }) }),
    last_point_at: nullableMoment('Time of the latest point; null without points.'),
    pauses: Type.Array(
      Type.Object({ from: moment('When it began.'), to: nullableMoment('When it ended; null while it lasts.') }),
    ),
    points_used: Type.Integer({ description: 'Points that the statistics are made of.', examples: [560] }),
    points_left_out: Type.Array(
      Type.Object({
        reason: Type.Enum(LEFT_OUT_REASONS, { examples: ['inaccurate'] }),
        count: Type.Integer({ examples: [7] }),
      }),
      { description: 'Points that do not enter the statistics, by reason; every reason is there, also with 0.' },
    ),
    provenance: Type.Array(Provenance),
  },
  { title: 'OperatorTrack', description: 'The track as the app reads it, and where its figures come from.' },
)
export type OperatorTrack = Static<typeof OperatorTrack>

export const SeriesQuery = Type.Object({
  points: Type.Optional(
    Type.Integer({
      minimum: MIN_SERIES_POINTS,
      maximum: MAX_SERIES_POINTS,
      description: `Points at most, default ${USUAL_SERIES_POINTS}.`,
    }),
  ),
})
export type SeriesQuery = Static<typeof SeriesQuery>

export const TrackSeries = Type.Object(
  {
    track_id: Type.String({ examples: [TRACK_ID] }),
    points_count: Type.Integer({ description: 'Stored points.', examples: [12_034] }),
    points_used: Type.Integer({ description: 'Points that the series was thinned from.', examples: [12_001] }),
    time_ms: numbers('Milliseconds since 1970, rising.', [1777788900000, 1777788905000]),
    latitude: numbers('Degrees.', [46.5191, 46.5193]),
    longitude: numbers('Degrees.', [6.6323, 6.6327]),
    altitude: nullableNumbers('Metres as sent; null without.', [374.2, null]),
    altitude_smoothed: nullableNumbers('Metres as the climbs are counted; null where the altitude was left out.', [
      374.1,
      null,
    ]),
    speed_mps: nullableNumbers('Metres per second; null where a gap is before the point and none was sent.', [
      null,
      1.4,
    ]),
    distance_meters: numbers('Way so far; it ends with the total of the statistics.', [0, 37.9]),
    gaps: Type.Array(
      Type.Object({
        index: Type.Integer({ description: 'The line is broken before this point.', examples: [1] }),
        reason: Type.Enum(GAP_REASONS, { examples: ['pause'] }),
      }),
    ),
    left_out: Type.Object(
      {
        time_ms: numbers('Milliseconds since 1970.', [1777788903000]),
        latitude: numbers('Degrees.', [46.5302]),
        longitude: numbers('Degrees.', [6.6411]),
        reason: Type.Array(Type.Enum(LEFT_OUT_REASONS, { examples: ['spike'] })),
      },
      { description: 'Points that do not enter the statistics, evenly chosen where they are many.' },
    ),
    speed_source: Type.Enum(['points', 'positions'] as const, {
      description: 'Whose speeds these are.',
      examples: ['points'],
    }),
    elevation_method: Type.String({ description: '`method.elevation` of the statistics.', examples: ['10s-3m'] }),
  },
  { title: 'TrackSeries', description: 'A track in columns, thinned so that extremes stay.' },
)
export type TrackSeries = Static<typeof TrackSeries>

export const Split = Type.Object(
  {
    number: Type.Integer({ description: 'From 1.', examples: [1] }),
    distance_meters: Type.Number({ description: '1000 but for the last.', examples: [1000] }),
    is_partial: Type.Boolean({ description: 'Less than a kilometre: the last one.', examples: [false] }),
    start_ts: moment('When it began.'),
    end_ts: moment('When it ended.'),
    duration_sec: Type.Number({ description: 'Elapsed, pauses included.', examples: [312.5] }),
    moving_time_sec: Type.Number({ examples: [300.1] }),
    pace_sec_per_km: Type.Number({ description: 'Duration by distance; 0 without distance.', examples: [312.5] }),
    mean_speed_mps: Type.Number({ description: 'Distance by duration; 0 without duration.', examples: [3.2] }),
    elevation_gain_m: Type.Number({ examples: [12.3] }),
    elevation_loss_m: Type.Number({ examples: [4.5] }),
  },
  { title: 'Split' },
)
export type Split = Static<typeof Split>

export const SplitList = Type.Object(
  { track_id: Type.String({ examples: [TRACK_ID] }), splits: Type.Array(Split) },
  { title: 'SplitList', description: 'Each kilometre; together they are the whole track.' },
)
export type SplitList = Static<typeof SplitList>

export const RawPoint = Type.Object(
  {
    index: Type.Integer({ description: 'Place in the order of time, from 0.', examples: [0] }),
    timestamp: moment('In UTC, with milliseconds.'),
    latitude: Type.Number({ examples: [46.5191] }),
    longitude: Type.Number({ examples: [6.6323] }),
    altitude: nullableNumber({ examples: [374.2] }),
    accuracy: nullableNumber({ examples: [4.8] }),
    speed_mps: nullableNumber({ examples: [1.4] }),
    heading: nullableNumber({ examples: [212.5] }),
    battery: nullableNumber({ examples: [87] }),
    origin: nullableText({ examples: [null] }),
    left_out: Type.Unsafe<Nullable<(typeof LEFT_OUT_REASONS)[number]>>({
      type: ['string', 'null'],
      enum: [...LEFT_OUT_REASONS, null],
      description: 'Why it does not enter the statistics; null where it does.',
      examples: [null],
    }),
  },
  { title: 'RawPoint', description: 'A point as it was sent; null for what was not.' },
)
export type RawPoint = Static<typeof RawPoint>

export const RawPointList = Type.Object(
  {
    track_id: Type.String({ examples: [TRACK_ID] }),
    total: Type.Integer({ description: 'Stored points.', examples: [567] }),
    points: Type.Array(RawPoint),
  },
  { title: 'RawPointList' },
)
export type RawPointList = Static<typeof RawPointList>

export const RawPointsQuery = Type.Object({
  from: Type.Optional(
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'First index, default 0.' }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_RAW_POINTS_PER_PAGE,
      description: `Default ${USUAL_RAW_POINTS_PER_PAGE}.`,
    }),
  ),
})
export type RawPointsQuery = Static<typeof RawPointsQuery>

export const ExportQuery = Type.Object({
  format: Type.Enum(EXPORT_FORMATS, { description: 'GPX 1.1, GeoJSON (RFC 7946) or CSV (RFC 4180).' }),
})
export type ExportQuery = Static<typeof ExportQuery>

export const LiveQuery = Type.Object({
  last_event_id: Type.Optional(
    Type.String({
      maxLength: 20,
      description:
        'As the header `Last-Event-ID`, for a page that connects anew by itself; the header counts before it.',
    }),
  ),
})
export type LiveQuery = Static<typeof LiveQuery>

// Live events: `event: <name>`, `data: <JSON>`

/** `event: track`: a track as it is now; it is new, or has changed. Spectators get a `SharedTrack`. */
export type LiveTrack = TrackSummary
/** `event: track-deleted` */
export type LiveTrackDeleted = { id: string }
/**
 * `event: points`: positions to add to the end of a track's line, thinned. Those not later than the last one that is
 * known were sent before. `has_gap`: positions before the first one were left out; the series has them.
 */
export type LivePoints = {
  track_id: string
  has_gap: boolean
  time_ms: number[]
  latitude: number[]
  longitude: number[]
  altitude: (number | null)[]
  speed_mps: (number | null)[]
}
/** `event: ready`: what had happened before is told; what follows happens now. */
export type LiveReady = Record<string, never>
/** `event: ended`: the share has ended; there is no use in coming back. */
export type LiveEnded = { reason: 'revoked' | 'expired' | 'deleted' }

// Shares

export const NewShare = Type.Object(
  {
    track_id: Type.Optional(nullableText({ description: 'One track of the event; all of them by default.' })),
    label: Type.Optional(nullableText({ maxLength: 200, description: 'For whom it is.' })),
    expires_at: Type.Optional(nullableText({ format: 'date-time', description: 'When it ends; null for never.' })),
  },
  { title: 'NewShare' },
)
export type NewShare = Static<typeof NewShare>

export const Share = Type.Object(
  {
    id: Type.String({ format: 'uuid', examples: ['9b2f5c1e-3d7a-4e0b-8c6d-1f2a3b4c5d6e'] }),
    track_id: nullableText({ description: 'Null where it shows the whole event.', examples: [null] }),
    track_title: nullableText({
      description: 'Of that track; null where it is gone or the whole event is shown.',
      examples: [null],
    }),
    label: nullableText({ description: 'For whom it is; null when none.', examples: ['Families'] }),
    url: nullableText({
      description: 'The address for spectators; null where it was made under another secret.',
      examples: ['https://tracks.example.org/s/shr_Zm9vYmFy'],
    }),
    created_at: moment('When it was made.'),
    expires_at: nullableMoment('When it ends; null for never.'),
    revoked_at: nullableMoment('When it was ended; null while it was not.'),
  },
  { title: 'Share' },
)
export type Share = Static<typeof Share>

export const ShareList = Type.Object({ shares: Type.Array(Share) }, { title: 'ShareList' })
export type ShareList = Static<typeof ShareList>

export const SharedView = Type.Object(
  {
    kind: Type.Enum(['event', 'track'] as const, { examples: ['event'] }),
    title: Type.String({ description: 'Name of the event, or title of the track.', examples: ['Trail 2026'] }),
    event: Type.Object({
      name: Type.String({ examples: ['Trail 2026'] }),
      starts_on: date('First day.'),
      ends_on: date('Last day.'),
    }),
    track_id: nullableText({ description: 'The track that is shown; null for the whole event.', examples: [null] }),
    expires_at: nullableMoment('When the address ends; null for never.'),
  },
  { title: 'SharedView', description: 'What a shared address shows.' },
)
export type SharedView = Static<typeof SharedView>

export const SharedTrackList = Type.Object(
  { tracks: Type.Array(SharedTrack), next_cursor: nullableText({ examples: [null] }) },
  { title: 'SharedTrackList', description: 'Newest first by start.' },
)
export type SharedTrackList = Static<typeof SharedTrackList>

export const SharedTracksQuery = Type.Object({
  limit: TrackSummariesQuery.properties.limit,
  cursor: TrackSummariesQuery.properties.cursor,
})
export type SharedTracksQuery = Static<typeof SharedTracksQuery>
