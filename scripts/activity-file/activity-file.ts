import { formatDateTime } from '#platform/basics/time.ts'
import { readTime } from '../../src/tracks/imports/recorded-track.ts'

/** A recording of a device or app, in the fields of the track service, with the totals that it wrote itself. */
export type ActivityFile = {
  /** In file order; only those with a position and a time. */
  points: ActivityPoint[]
  activityType: ActivityType
  totals: ActivityTotals
  /** Maker and model, or the app's name; empty when the file has neither. */
  device: string
}

export type ActivityType = 'run' | 'walk' | 'bike' | 'hike'

/** A point as `POST /tracks/:id/points` accepts it. */
export type ActivityPoint = {
  latitude: number
  longitude: number
  timestamp: string
  altitude?: number
  accuracy?: number
  speed_mps?: number
  heading?: number
}

/** Totals that the recording device computed; absent when the file has none, or a 0 that can only mean none. */
export type ActivityTotals = {
  distanceMeters?: number
  elapsedSec?: number
  timerSec?: number
  ascentMeters?: number
  descentMeters?: number
  maxSpeedMps?: number
  /** Part of the distance that the device counted, by other sensors, before the first and after the last position. */
  unlocatedMeters?: number
}

const ACTIVITY_TYPES: readonly [RegExp, ActivityType][] = [
  [/run|jog|course/i, 'run'],
  [/hik|mountain_?eering|trek|snowshoe|randonn/i, 'hike'],
  [/walk|marche/i, 'walk'],
]

/**
 * Returns the service's activity type for the sport of a file. A file without a sport is a run, the service's default;
 * any other sport counts as `bike`, whose limits of plausible speed are the widest.
 */
export function activityTypeOf(sport: string | undefined): ActivityType {
  if (sport === undefined || sport.trim() === '' || sport === 'generic') return 'run'
  return ACTIVITY_TYPES.find(([pattern]) => pattern.test(sport))?.[1] ?? 'bike'
}

/** Returns true for coordinates on the globe; devices write placeholders such as 180° latitude before the first fix. */
export function isOnGlobe(latitude: number, longitude: number): boolean {
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
}

/** Returns the time in a text of a file, in UTC; undefined for other text. */
export function readTimestamp(text: string): string | undefined {
  const time = readTime(text)
  return time === undefined ? undefined : formatDateTime(time.timeMs)
}
