// Shapes of the API as an app gives them to the queue.

/** A field of a point that breaks a rule. `path` is the field's name, empty for the point itself. */
export type FieldError = { path: string; message: string }

/** A position at a time, as an app has it. Only these fields are sent. */
export type PointInput = {
  /** Degrees, WGS 84. */
  latitude: number
  /** Degrees, WGS 84. */
  longitude: number
  /** Milliseconds since 1970, a date, or RFC 3339 text; text without an offset is UTC. */
  timestamp: number | Date | string
  /** Meters. */
  altitude?: number | null
  /** Meters. */
  accuracy?: number | null
  /** Meters per second. */
  speed_mps?: number | null
  /** Degrees from north, 0 to 360. */
  heading?: number | null
  /** 0 to 1. */
  battery?: number | null
  origin?: 'foreground' | 'background' | 'native' | null
  /** Zero of the altitude: sea level as on iOS, or the ellipsoid of WGS 84 as on Android. */
  altitude_reference?: 'sea_level' | 'ellipsoid' | null
}

/** A point as it is stored and sent: known fields only, none of them null, the time in UTC with milliseconds. */
export type StoredPoint = Record<string, unknown>

/** Fields of a new track, all optional. */
export type TrackFields = {
  title?: string
  activity_type?: 'run' | 'walk' | 'bike' | 'hike'
  /** RFC 3339. Its offset decides the hour in a generated title. */
  start_ts?: string
  user_id?: string
  image_url?: string
  /** Zero of the altitudes of points that do not say it themselves. */
  altitude_reference?: 'sea_level' | 'ellipsoid'
}

/** Changes of a track. */
export type TrackChanges = {
  title?: string
  state?: 'running' | 'paused' | 'stopped'
  /** RFC 3339, not before the start. */
  end_ts?: string
}
