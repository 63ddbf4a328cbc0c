import type { ActivityType } from '../../domain/activity-type.ts'
import type { PointColumns } from '../../points/point-columns.ts'

/** Largest file, decoded: as much as any body with points. */
export const MAX_FILE_BYTES = 64 * 1_048_576
/**
 * Most points of a file: eleven days, one a second. It bounds the memory that reading takes, so that a file that fits
 * into the limit of bytes fits into the thread.
 */
export const MAX_POINTS_PER_FILE = 1_000_000
/** Most tracks of a file. A logger that begins one a day fills three years with them. */
export const MAX_TRACKS_PER_FILE = 1_000

/** Reasons for refusing a file, as programs read them. */
const REFUSAL_REASONS = [
  'archive',
  'cut_short',
  'damaged',
  'document_type',
  'empty',
  'malformed',
  'no_points',
  'no_recording',
  'too_costly',
  'too_much',
  'unknown_format',
] as const
export type RefusalReason = (typeof REFUSAL_REASONS)[number]

/** A file that cannot be imported. The message continues "The file …". */
export class ImportFileError extends Error {
  override name = 'ImportFileError'
  readonly reason: RefusalReason

  constructor(reason: RefusalReason, message: string) {
    super(message)
    this.reason = reason
  }
}

/** Totals as a device computed them, by their names in `stats`. Absent where the file has none. */
export type DeviceTotals = {
  distance_meters?: number
  /** Elapsed time, pauses included. */
  duration_sec?: number
  elevation_gain_m?: number
  elevation_loss_m?: number
  max_speed_mps?: number
  max_altitude_m?: number
  min_altitude_m?: number
}

/** A track or an activity as a file has it. */
export type RecordedTrack = {
  /** Undefined where the file names none. */
  title: string | undefined
  /** Undefined for a sport that is absent or unknown. */
  activityType: ActivityType | undefined
  /** Local time of the start, in minutes east of UTC; undefined where the file has UTC alone. */
  offsetMin: number | undefined
  totals: DeviceTotals
  /** In canonical order. */
  points: PointColumns
  /** Points without a time, and those off the globe. */
  leftOutCount: number
}
