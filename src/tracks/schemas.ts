import Type, { type Static } from 'typebox'

/** Most points in one `POST /tracks/:id/points`. */
export const MAX_POINTS_PER_REQUEST = 10_000
/** Most points in one `POST /sync`. */
export const MAX_POINTS_PER_SYNC = 50_000
/** Largest `limit` of `GET /tracks/:id/points`. */
export const MAX_POINTS_PER_PAGE = 50_000
/** Largest and usual `limit` of `GET /tracks`. */
export const MAX_TRACKS_PER_PAGE = 1000
export const USUAL_TRACKS_PER_PAGE = 100

export const ACTIVITY_TYPES = ['run', 'walk', 'bike', 'hike'] as const
export const TRACK_STATES = ['running', 'paused', 'stopped'] as const

type Nullable<T> = T | null

/** An optional field for which `null` means "not given", as clients in typed languages send it. */
function optionalText(options: { maxLength?: number; format?: string; description?: string }) {
  return Type.Optional(Type.Unsafe<Nullable<string>>({ type: ['string', 'null'], ...options }))
}
function optionalChoice<const Word extends string>(words: readonly Word[], description: string) {
  return Type.Optional(Type.Unsafe<Nullable<Word>>({ type: ['string', 'null'], enum: [...words, null], description }))
}
function optionalNumber(description: string, bounds: { minimum?: number; maximum?: number } = {}) {
  return Type.Optional(Type.Unsafe<Nullable<number>>({ type: ['number', 'null'], ...bounds, description }))
}
function optionalInteger(description: string) {
  return Type.Optional(Type.Unsafe<Nullable<number>>({ type: ['integer', 'null'], description }))
}

const title = optionalText({
  maxLength: 500,
  description: 'Generated from the start time when omitted or blank: `Sortie du 3 mai à 08h15`.',
})
const endTs = optionalText({ format: 'date-time', description: 'Not before start_ts.' })

const trackFields = {
  device_track_id: Type.String({
    minLength: 1,
    maxLength: 100,
    description: "The device's own identifier, unique within the event.",
  }),
  title,
  activity_type: optionalChoice(ACTIVITY_TYPES, 'Default `run`.'),
  start_ts: optionalText({
    format: 'date-time',
    description: 'RFC 3339; without an offset it is UTC. Default: the first point of a sync, else now.',
  }),
  user_id: optionalText({ maxLength: 255 }),
  image_url: optionalText({ format: 'uri', maxLength: 2048, description: 'An http or https address.' }),
}

export const NewTrack = Type.Object(trackFields, { $id: undefined, title: 'NewTrack' })
export type NewTrack = Static<typeof NewTrack>

export const SyncedTrack = Type.Object({ ...trackFields, end_ts: endTs }, { title: 'SyncedTrack' })
export type SyncedTrack = Static<typeof SyncedTrack>

export const TrackChange = Type.Object(
  { title, state: optionalChoice(TRACK_STATES, 'Any state may follow any other.'), end_ts: endTs },
  { title: 'TrackChange' },
)
export type TrackChange = Static<typeof TrackChange>

export const GivenStatistics = Type.Object(
  {
    distance_meters: optionalNumber('Total distance in meters.'),
    duration_sec: optionalInteger('Total duration in seconds.'),
    elevation_gain_m: optionalNumber('Elevation gain in meters.'),
    elevation_loss_m: optionalNumber('Elevation loss in meters.'),
    mean_speed_mps: optionalNumber('Average speed in meters per second.'),
    pace_sec_per_km: optionalNumber('Pace in seconds per kilometer.'),
    max_speed_mps: optionalNumber('Maximum speed in meters per second.'),
    max_altitude_m: optionalNumber('Maximum altitude in meters.'),
    min_altitude_m: optionalNumber('Minimum altitude in meters.'),
    points_count: optionalInteger('Number of points.'),
  },
  { title: 'GivenStatistics' },
)
export type GivenStatistics = Static<typeof GivenStatistics>

export const Point = Type.Object(
  {
    latitude: Type.Number({ minimum: -90, maximum: 90 }),
    longitude: Type.Number({ minimum: -180, maximum: 180 }),
    timestamp: Type.String({ format: 'date-time' }),
    altitude: optionalNumber('Meters.'),
    accuracy: optionalNumber('Meters; negative means unknown.'),
    speed_mps: optionalNumber('Meters per second; negative means unknown.'),
    heading: optionalNumber('Degrees.', { minimum: 0, maximum: 360 }),
    battery: optionalNumber('Level.', { minimum: 0, maximum: 1 }),
    origin: optionalChoice(['foreground', 'background', 'native'], 'Which part of the app recorded the point.'),
  },
  { title: 'Point' },
)

export const PointsBody = Type.Object(
  { points: Type.Array(Point, { maxItems: MAX_POINTS_PER_REQUEST }) },
  { title: 'PointsBody' },
)
export const SyncBody = Type.Object(
  {
    track: SyncedTrack,
    points: Type.Array(Point, { maxItems: MAX_POINTS_PER_SYNC }),
    stats: Type.Optional(Type.Unsafe<Nullable<GivenStatistics>>({ ...GivenStatistics, type: ['object', 'null'] })),
  },
  { title: 'SyncBody' },
)
/** The parts of a sync that are not points; the points have a reader of their own. */
export const SyncFrame = Type.Object({ track: SyncedTrack, stats: SyncBody.properties.stats })

export const CreatedTrack = Type.Object(
  { id: Type.String({ format: 'uuid' }), device_track_id: Type.String() },
  { title: 'CreatedTrack' },
)
export const SyncedAnswer = Type.Object({ track_id: Type.String({ format: 'uuid' }) }, { title: 'SyncedAnswer' })

const nullableText = (options: object = {}) => Type.Unsafe<Nullable<string>>({ type: ['string', 'null'], ...options })

export const Statistics = Type.Object(
  {
    distance_meters: Type.Number(),
    duration_sec: Type.Integer({ description: 'Elapsed time, pauses included.' }),
    elevation_gain_m: Type.Number(),
    elevation_loss_m: Type.Number(),
    mean_speed_mps: Type.Number({ description: 'Distance by duration; 0 without duration.' }),
    pace_sec_per_km: Type.Number({ description: 'Duration by distance; 0 without distance.' }),
    max_speed_mps: Type.Optional(Type.Number({ description: 'Absent when unknown.' })),
    max_altitude_m: Type.Optional(Type.Number({ description: 'Absent when unknown.' })),
    min_altitude_m: Type.Optional(Type.Number({ description: 'Absent when unknown.' })),
    points_count: Type.Integer({ description: 'All stored points.' }),
    moving_time_sec: Type.Optional(Type.Number()),
    paused_time_sec: Type.Optional(Type.Number()),
  },
  { title: 'Statistics', additionalProperties: true },
)

export const Track = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    device_track_id: Type.String(),
    title: Type.String(),
    activity_type: Type.Enum(ACTIVITY_TYPES),
    state: Type.Enum(TRACK_STATES),
    start_ts: Type.String({ format: 'date-time' }),
    end_ts: nullableText({ format: 'date-time' }),
    user_id: nullableText(),
    image_url: nullableText(),
    points_count: Type.Integer(),
    stats: Statistics,
    computed_stats: Type.Optional(Statistics),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
  },
  { title: 'Track' },
)

export const TrackList = Type.Object({ tracks: Type.Array(Track), next_cursor: nullableText() }, { title: 'TrackList' })

export const ListedPoints = Type.Object(
  { track_id: Type.String({ format: 'uuid' }), count: Type.Integer(), points: Type.Array(Point) },
  { title: 'ListedPoints' },
)

export const PointsQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_POINTS_PER_PAGE, description: 'Default: all points.' })),
  offset: Type.Optional(
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Points to skip, default 0.' }),
  ),
})

export const TracksQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_TRACKS_PER_PAGE, description: `Default ${USUAL_TRACKS_PER_PAGE}.` }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: '`next_cursor` of the page before.' })),
  state: Type.Optional(Type.Enum(TRACK_STATES)),
  activity_type: Type.Optional(Type.Enum(ACTIVITY_TYPES)),
  user_id: Type.Optional(Type.String({ maxLength: 255 })),
  device_track_id: Type.Optional(Type.String({ maxLength: 100 })),
  from: Type.Optional(Type.String({ format: 'date-time', description: 'Tracks that start at this time or later.' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Tracks that start before this time.' })),
})
export type TracksQuery = Static<typeof TracksQuery>
