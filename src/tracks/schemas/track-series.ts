import Type, { type Static } from 'typebox'
import { moment, nullableNumbers, numbers, TRACK_ID } from './fields.ts'
import { LEFT_OUT_REASONS } from './operator-track.ts'

/** Largest, smallest and usual number of points of a series. */
export const MAX_SERIES_POINTS = 20_000
export const MIN_SERIES_POINTS = 50
export const DEFAULT_SERIES_POINTS = 2000
/** Why the line of a track is broken before a point. */
export const GAP_REASONS = ['pause', 'stop', 'teleport'] as const

export const SeriesQuery = Type.Object({
  points: Type.Optional(
    Type.Integer({
      minimum: MIN_SERIES_POINTS,
      maximum: MAX_SERIES_POINTS,
      description: `Points at most, default ${DEFAULT_SERIES_POINTS}.`,
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
      Type.Object(
        {
          index: Type.Integer({ description: 'The line is broken before this point.', examples: [1] }),
          reason: Type.Enum(GAP_REASONS, { examples: ['pause'] }),
        },
        { title: 'SeriesGap' },
      ),
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
        description: 'Points that do not enter the statistics, evenly chosen where they are many.',
      },
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
