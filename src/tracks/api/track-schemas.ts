import Type, { type Static } from 'typebox'
import { type Nullable, nullable, nullableText } from '#platform/http/field-rules.ts'
import { GainInterval, LossInterval, TRACK_ID } from '../model/schema-fields.ts'
import { ACTIVITY_TYPES, TRACK_STATES } from '../model/track-state.ts'
import {
  LISTED_FIELDS,
  MAX_POINTS_PER_REQUEST,
  MAX_POINTS_PER_SYNC,
  PointsReceipt,
  SENT_FIELDS,
} from '../points/schemas.ts'
import { ALTITUDE_REFERENCES } from '../points/sea-level.ts'

/** Maximum `limit` of `GET /tracks/:id/points`. */
const MAX_POINTS_PER_PAGE = 50_000
/** Maximum and default `limit` of `GET /tracks`. */
const MAX_TRACKS_PER_PAGE = 1000
export const DEFAULT_TRACKS_PER_PAGE = 100

/** An optional field. `null` means "absent", as clients in typed languages send it. */
const optionalText = (options: object) => Type.Optional(nullableText(options))
const optionalChoice = <const Word extends string>(words: readonly Word[], description: string, example: Word) =>
  Type.Optional(nullable<Word>('string', { enum: [...words, null], description, examples: [example] }))
const optionalNumber = (description: string, example: number) =>
  Type.Optional(nullable<number>('number', { description, examples: [example] }))
const optionalInteger = (description: string, example: number) =>
  Type.Optional(nullable<number>('integer', { description, examples: [example] }))

/** Path parameters of a track. */
export const TrackParams = Type.Object({
  id: Type.String({ description: "The track's `id`.", examples: [TRACK_ID] }),
})

const title = optionalText({
  maxLength: 500,
  description: 'Generated from the start time if absent or blank: `Sortie du 3 mai à 08h15`.',
  examples: ['Around the lake'],
})
const endTs = optionalText({
  format: 'date-time',
  description: 'Not before the start.',
  examples: ['2026-05-03T09:02:11+02:00'],
})

const trackFields = {
  device_track_id: Type.String({
    minLength: 1,
    maxLength: 100,
    description: "The device's own identifier, unique within the event.",
    examples: ['phone-7f3a-2026-05-03'],
  }),
  title,
  activity_type: optionalChoice(ACTIVITY_TYPES, 'Default `run`. Statistics depend on it.', 'walk'),
  start_ts: optionalText({
    format: 'date-time',
    description: 'RFC 3339; UTC without an offset. Default: the first point of a sync, otherwise now.',
    examples: ['2026-05-03T08:15:00+02:00'],
  }),
  user_id: optionalText({ maxLength: 255, description: 'Owner of the track; any text.', examples: ['user-42'] }),
  image_url: optionalText({
    format: 'uri',
    maxLength: 2048,
    description: 'An http or https address.',
    examples: ['https://images.example.org/lake.jpg'],
  }),
  altitude_reference: optionalChoice(
    ALTITUDE_REFERENCES,
    'Zero of the altitudes of points that do not say it themselves: sea level as on iOS, or the ellipsoid of WGS 84 as on Android.',
    'sea_level',
  ),
}

export const TrackCreate = Type.Object(trackFields, { $id: undefined, title: 'TrackCreate' })
export type TrackCreate = Static<typeof TrackCreate>

export const SyncTrack = Type.Object(
  { ...trackFields, end_ts: endTs },
  { title: 'SyncTrack', description: 'A finished track.' },
)
export type SyncTrack = Static<typeof SyncTrack>

export const TrackUpdate = Type.Object(
  { title, state: optionalChoice(TRACK_STATES, 'Any state may follow any other.', 'paused'), end_ts: endTs },
  { title: 'TrackUpdate' },
)
export type TrackUpdate = Static<typeof TrackUpdate>

export const StatsCreate = Type.Object(
  {
    distance_meters: optionalNumber('Total distance in meters.', 3420.5),
    duration_sec: optionalInteger('Total duration in seconds.', 2831),
    elevation_gain_m: optionalNumber('Elevation gain in meters.', 41),
    elevation_loss_m: optionalNumber('Elevation loss in meters.', 38),
    mean_speed_mps: optionalNumber('Average speed in meters per second.', 1.208),
    pace_sec_per_km: optionalNumber('Pace in seconds per kilometer.', 827.66),
    max_speed_mps: optionalNumber('Maximum speed in meters per second.', 2.1),
    max_altitude_m: optionalNumber('Maximum altitude in meters.', 1059),
    min_altitude_m: optionalNumber('Minimum altitude in meters.', 1034),
    points_count: optionalInteger('Number of points.', 567),
  },
  {
    title: 'StatsCreate',
    description: 'Statistics that the device computed. They are stored as sent; the server computes absent ones.',
  },
)
export type StatsCreate = Static<typeof StatsCreate>

const Point = Type.Object(SENT_FIELDS, {
  title: 'PointCreate',
  description: 'A position at a time.',
})

export const PointBatch = Type.Object(
  { points: Type.Array(Point, { maxItems: MAX_POINTS_PER_REQUEST, description: 'In any order.' }) },
  { title: 'PointBatch' },
)
export const SyncCreate = Type.Object(
  {
    track: SyncTrack,
    points: Type.Array(Point, { maxItems: MAX_POINTS_PER_SYNC, description: 'In any order; may be empty.' }),
    stats: Type.Optional(Type.Unsafe<Nullable<StatsCreate>>({ ...StatsCreate, type: ['object', 'null'] })),
  },
  { title: 'SyncCreate' },
)
/** A sync without its points, which have a scanner of their own. */
export const SyncFrame = Type.Object({ track: SyncTrack, stats: SyncCreate.properties.stats })

const trackId = Type.String({
  format: 'uuid',
  description: 'Identifies the track in all later requests.',
  examples: [TRACK_ID],
})

export const TrackCreated = Type.Object(
  { id: trackId, device_track_id: Type.String({ description: 'As sent.', examples: ['phone-7f3a-2026-05-03'] }) },
  { title: 'TrackCreated', description: 'The track was created.' },
)
export const SyncCreated = Type.Object(
  { track_id: trackId, points: Type.Optional(PointsReceipt) },
  { title: 'SyncCreated', description: 'The track was created and its points are on disk.' },
)

const figure = (description: string, example: number) => Type.Number({ description, examples: [example] })
const count = (description: string, example: number) => Type.Integer({ description, examples: [example] })
const moment = (description: string, example: string) =>
  Type.String({ format: 'date-time', description, examples: [example] })

export const Statistics = Type.Object(
  {
    distance_meters: figure('Surface distance, climbs not included.', 3412.08),
    duration_sec: count('Elapsed time, pauses included.', 2831),
    elevation_gain_m: figure('Sum of the climbs.', 40.5),
    elevation_loss_m: figure('Sum of the descents, a positive number.', 38.25),
    elevation_gain_interval_m: Type.Optional(GainInterval),
    elevation_loss_interval_m: Type.Optional(LossInterval),
    mean_speed_mps: figure('Distance divided by duration; 0 without duration.', 1.2053),
    pace_sec_per_km: figure('Duration divided by distance; 0 without distance.', 829.7),
    max_speed_mps: Type.Optional(figure('Absent if unknown.', 2.1)),
    max_altitude_m: Type.Optional(
      figure(
        'Above sea level if it is known what the altitudes are above, otherwise as sent. Absent if unknown.',
        1058.9,
      ),
    ),
    min_altitude_m: Type.Optional(figure('As the maximum. Absent if unknown.', 1034.1)),
    points_count: count('All stored points, also those that the other statistics leave out.', 567),
    moving_time_sec: Type.Optional(figure('Time in motion.', 2588)),
    paused_time_sec: Type.Optional(figure('Time in the state `paused`.', 180)),
  },
  {
    title: 'Stats',
    description:
      'Statistics of the points. `method` tells how they were computed; `left_out` counts what they leave out, by reason.',
    additionalProperties: true,
  },
)

export const Track = Type.Object(
  {
    id: Type.String({ format: 'uuid', examples: [TRACK_ID] }),
    device_track_id: Type.String({ description: 'As sent.', examples: ['phone-7f3a-2026-05-03'] }),
    title: Type.String({ description: 'As sent, or generated.', examples: ['Around the lake'] }),
    activity_type: Type.Enum(ACTIVITY_TYPES, { examples: ['walk'] }),
    state: Type.Enum(TRACK_STATES, { examples: ['stopped'] }),
    start_ts: moment('In UTC.', '2026-05-03T06:15:00.000Z'),
    end_ts: nullableText({
      format: 'date-time',
      description: 'Null without an end.',
      examples: ['2026-05-03T07:02:11.000Z'],
    }),
    user_id: nullableText({ description: 'Null if not set.', examples: ['user-42'] }),
    image_url: nullableText({ description: 'Null if not set.', examples: ['https://images.example.org/lake.jpg'] }),
    altitude_reference: Type.Optional(
      Type.Enum(ALTITUDE_REFERENCES, {
        description: 'Zero of the altitudes of points that do not say it themselves; absent if unknown.',
        examples: ['sea_level'],
      }),
    ),
    points_count: count('Stored points.', 567),
    stats: Statistics,
    computed_stats: Type.Optional(Statistics),
    created_at: moment('Time of creation on the server.', '2026-05-03T06:15:01.204Z'),
    updated_at: moment('Time of the latest change or new point.', '2026-05-03T07:02:12.871Z'),
  },
  {
    title: 'Track',
    description:
      'The current state of a track. If `stats` has statistics that came with a sync, `computed_stats` has those of the server.',
  },
)

export type Track = Static<typeof Track>

export const TrackList = Type.Object(
  {
    tracks: Type.Array(Track),
    next_cursor: nullableText({
      description: 'The `cursor` of the next page; null on the last.',
      examples: ['MTc3Nzc4ODkwMDAwMCAwYjUxYTJkZS02ZjBjLTRmMmItOWYwZS01ZjZjOGQxZTJhNzc'],
    }),
  },
  { title: 'TrackList', description: 'One page of tracks.' },
)

/** A point as it is listed: without `origin`, which is stored; fields that were not sent are absent, not null. */
const ListedPoint = Type.Object(LISTED_FIELDS, {
  title: 'Point',
  description: 'A point as it was sent, every number to its last bit. Fields that were not sent are absent.',
})

export const PointList = Type.Object(
  {
    track_id: Type.String({ format: 'uuid', examples: [TRACK_ID] }),
    count: count('Number of points in this answer.', 1),
    points: Type.Array(ListedPoint),
  },
  { title: 'PointList', description: 'Points in time order.' },
)

export const PointsQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_POINTS_PER_PAGE, description: 'Default: all points.', examples: [1000] }),
  ),
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Number of points to skip, default 0.',
      examples: [0],
    }),
  ),
})

export const TracksQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_TRACKS_PER_PAGE,
      description: `Default ${DEFAULT_TRACKS_PER_PAGE}.`,
      examples: [20],
    }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: 'The `next_cursor` of the previous page.' })),
  state: Type.Optional(Type.Enum(TRACK_STATES, { description: 'Only tracks in this state.' })),
  activity_type: Type.Optional(Type.Enum(ACTIVITY_TYPES, { description: 'Only tracks of this activity type.' })),
  user_id: Type.Optional(Type.String({ maxLength: 255, description: 'Only tracks with this `user_id`.' })),
  device_track_id: Type.Optional(
    Type.String({ maxLength: 100, description: 'Only the track with this `device_track_id`.' }),
  ),
  from: Type.Optional(Type.String({ format: 'date-time', description: 'Tracks that start at this time or later.' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Tracks that start before this time.' })),
})
export type TracksQuery = Static<typeof TracksQuery>
