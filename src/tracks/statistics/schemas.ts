import Type, { type Static } from 'typebox'
import type { Nullable } from '#platform/http/field-rules.ts'
import { moment, nullableNumbers, numbers, TRACK_ID, trackNameField } from '../model/schema-fields.ts'
import { ACTIVITY_TYPES, TRACK_STATES } from '../model/track-state.ts'
import { NULLABLE_FIELDS, timestamp } from '../points/schemas.ts'
import { LEFT_OUT_REASONS } from './examined-track.ts'

/** Maximum, minimum and default number of points of a series. */
const MAX_SERIES_POINTS = 20_000
const MIN_SERIES_POINTS = 50
export const DEFAULT_SERIES_POINTS = 2000
/** Reasons for a gap in the line of a track. */
const GAP_REASONS = ['pause', 'stop', 'teleport'] as const

export const SeriesQuery = Type.Object({
  points: Type.Optional(
    Type.Integer({
      minimum: MIN_SERIES_POINTS,
      maximum: MAX_SERIES_POINTS,
      description: `Maximum number of points, default ${DEFAULT_SERIES_POINTS}.`,
    }),
  ),
})
export type SeriesQuery = Static<typeof SeriesQuery>

/** Lengths of a split, by the unit that a reader thinks in: the international mile has 1609.344 m. */
const SPLIT_UNITS = ['km', 'mi'] as const
export const METERS_OF_SPLIT = { km: 1000, mi: 1609.344 } as const

export const SplitsQuery = Type.Object({
  unit: Type.Optional(Type.Enum(SPLIT_UNITS, { description: 'Length of a split, default `km`.' })),
})
export type SplitsQuery = Static<typeof SplitsQuery>

const SeriesExtreme = Type.Object(
  {
    index: Type.Integer({ description: 'Index of its point in the series.', examples: [1] }),
    value: Type.Number({ description: 'The value of the statistics.', examples: [375.1] }),
  },
  { title: 'SeriesExtreme' },
)
export type SeriesExtreme = Static<typeof SeriesExtreme>

export const TrackSeries = Type.Object(
  {
    track_id: Type.String({ examples: [TRACK_ID] }),
    points_count: Type.Integer({ description: 'Number of stored points in the shown part.', examples: [12_034] }),
    points_used: Type.Integer({ description: 'Number of points before downsampling.', examples: [12_001] }),
    time_ms: numbers('Milliseconds since 1970, ascending.', [1777788900000, 1777788905000]),
    latitude: numbers('Degrees.', [46.5191, 46.5193]),
    longitude: numbers('Degrees.', [6.6323, 6.6327]),
    altitude: nullableNumbers('Meters as sent; null if not sent.', [374.2, null]),
    altitude_smoothed: nullableNumbers(
      'Estimated height of the terrain in meters, from which climbs are computed; null for a left-out altitude.',
      [374.1, null],
    ),
    speed_mps: nullableNumbers('Meters per second; null after a gap if none was sent.', [null, 1.4]),
    distance_meters: numbers('Distance so far in meters. The last value is the distance of the statistics.', [0, 37.9]),
    gaps: Type.Array(
      Type.Object(
        {
          index: Type.Integer({ description: 'The gap is before this point.', examples: [1] }),
          reason: Type.Enum(GAP_REASONS, { examples: ['pause'] }),
        },
        { title: 'SeriesGap' },
      ),
    ),
    stops: Type.Array(
      Type.Object(
        {
          from_ms: Type.Integer({ description: 'Milliseconds since 1970.', examples: [1777790400000] }),
          to_ms: Type.Integer({ description: 'Milliseconds since 1970.', examples: [1777791720000] }),
          distance_meters: Type.Number({ description: 'Distance before the stop.', examples: [46_020.5] }),
        },
        { title: 'LongStop' },
      ),
      {
        description:
          'Stops of three minutes and more that no declared pause covers, found in the points. They are no part of `paused_time_sec` or of the moving time.',
      },
    ),
    extremes: Type.Object(
      {
        min_altitude_m: Type.Optional(SeriesExtreme),
        max_altitude_m: Type.Optional(SeriesExtreme),
        max_speed_mps: Type.Optional(SeriesExtreme),
      },
      {
        title: 'SeriesExtremes',
        description: 'The extremes of the statistics, to mark them on the line. Absent if unknown.',
      },
    ),
    left_out: Type.Object(
      {
        time_ms: numbers('Milliseconds since 1970.', [1777788903000]),
        latitude: numbers('Degrees.', [46.5302]),
        longitude: numbers('Degrees.', [6.6411]),
        reason: Type.Array(Type.Enum(LEFT_OUT_REASONS, { examples: ['spike'] })),
      },
      {
        title: 'LeftOutPoints',
        description: 'Points that statistics leave out; a regular sample if there are many.',
      },
    ),
    trimmed: Type.Array(
      Type.Object(
        { latitude: numbers('Degrees.', [46.5188]), longitude: numbers('Degrees.', [6.6319]) },
        { title: 'TrimmedEnd' },
      ),
      { description: 'The ends of the track that are not shown, as lines; none for spectators.' },
    ),
    speed_source: Type.Enum(['points', 'positions'] as const, {
      description: 'Source of the speeds: the receiver, or computed from positions.',
      examples: ['points'],
    }),
    elevation_method: Type.String({ description: '`method.elevation` of the statistics.', examples: ['kalman'] }),
  },
  { title: 'TrackSeries', description: 'A track in columns, downsampled so that extremes stay.' },
)
export type TrackSeries = Static<typeof TrackSeries>
export const Split = Type.Object(
  {
    number: Type.Integer({ description: 'From 1.', examples: [1] }),
    distance_meters: Type.Number({
      description: 'A kilometer or a mile, except for the last split.',
      examples: [1000],
    }),
    is_partial: Type.Boolean({
      description: 'True for a last split that is shorter than the others.',
      examples: [false],
    }),
    start_ts: moment('Start of the split.'),
    end_ts: moment('End of the split.'),
    duration_sec: Type.Number({ description: 'Elapsed time, pauses included.', examples: [312.5] }),
    moving_time_sec: Type.Number({ examples: [300.1] }),
    pace_sec_per_km: Type.Number({
      description: 'Duration divided by distance; 0 without distance.',
      examples: [312.5],
    }),
    mean_speed_mps: Type.Number({ description: 'Distance divided by duration; 0 without duration.', examples: [3.2] }),
    elevation_gain_m: Type.Number({ examples: [12.3] }),
    elevation_loss_m: Type.Number({ examples: [4.5] }),
  },
  { title: 'Split' },
)
export type Split = Static<typeof Split>

export const SplitList = Type.Object(
  { track_id: Type.String({ examples: [TRACK_ID] }), splits: Type.Array(Split) },
  { title: 'SplitList', description: 'The splits of the shown part of the track.' },
)
export type SplitList = Static<typeof SplitList>

/** Maximum and default `limit` of the raw points. */
const MAX_RAW_POINTS_PER_PAGE = 1000
export const DEFAULT_RAW_POINTS_PER_PAGE = 100

const RawPoint = Type.Object(
  {
    index: Type.Integer({ description: 'Position in the order of time, from 0.', examples: [0] }),
    timestamp: timestamp(),
    ...NULLABLE_FIELDS,
    left_out: Type.Unsafe<Nullable<(typeof LEFT_OUT_REASONS)[number]>>({
      type: ['string', 'null'],
      enum: [...LEFT_OUT_REASONS, null],
      description: 'Why statistics leave the point out; null if they use it.',
      examples: [null],
    }),
  },
  { title: 'RawPoint', description: 'A point as it was sent; null for fields that were not.' },
)

export const RawPointList = Type.Object(
  {
    track_id: Type.String({ examples: [TRACK_ID] }),
    total: Type.Integer({ description: 'Number of stored points.', examples: [567] }),
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
      description: `Default ${DEFAULT_RAW_POINTS_PER_PAGE}.`,
    }),
  ),
})
export type RawPointsQuery = Static<typeof RawPointsQuery>

export const ReplayTrack = Type.Object(
  {
    track_id: Type.String({ examples: [TRACK_ID] }),
    name: trackNameField,
    title: Type.String({ examples: ['Around the lake'] }),
    activity_type: Type.Enum(ACTIVITY_TYPES, { examples: ['walk'] }),
    state: Type.Enum(TRACK_STATES, { examples: ['stopped'] }),
    start_ms: Type.Integer({
      description: 'Time of the first position in milliseconds since 1970.',
      examples: [1777788900000],
    }),
    time_sec: numbers('Seconds since `start_ms`, ascending.', [0, 12.5]),
    latitude: numbers('Degrees.', [46.5191, 46.5193]),
    longitude: numbers('Degrees.', [6.6323, 6.6327]),
    distance_m: numbers('Distance travelled since the first position, in meters.', [0, 37]),
  },
  { title: 'ReplayTrack', description: 'A track in columns. Between two positions, the motion is even.' },
)
export type ReplayTrack = Static<typeof ReplayTrack>

export const EventReplay = Type.Object(
  {
    tracks_total: Type.Integer({
      description: 'Number of tracks that could be replayed. Of very many, the first to start are given.',
      examples: [212],
    }),
    tracks: Type.Array(ReplayTrack, { description: 'By start. Tracks without a position are left out.' }),
  },
  { title: 'EventReplay', description: 'What a replay of an event shows.' },
)
export type EventReplay = Static<typeof EventReplay>
