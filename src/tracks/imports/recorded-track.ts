import { readDecimal } from '#platform/basics/text.ts'
import { isWritableTime, parseDateTime } from '#platform/basics/time.ts'
import type { ActivityType } from '../model/track-state.ts'
import { emptyColumns, type PointColumns, sliceColumns, sortPoints } from '../points/point-columns.ts'
import { CHOICE_FIELDS, NUMBER_FIELDS, type ValueColumn } from '../points/point-fields.ts'

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

/** Formats of recordings, with the type under which each is sent. */
export const RECORDING_TYPES = {
  gpx: 'application/gpx+xml',
  tcx: 'application/vnd.garmin.tcx+xml',
  fit: 'application/vnd.ant.fit',
  kml: 'application/vnd.google-earth.kml+xml',
  geojson: 'application/geo+json',
} as const

export type RecordingFormat = keyof typeof RECORDING_TYPES

/** Words of sports in FIT, TCX and GPX files, which spell them freely: `trail_running`, `Biking`, `Course à pied`. */
const SPORTS: readonly (readonly [RegExp, ActivityType])[] = [
  [/(?<![a-z])(bik(e|ing)|cycl(e|ing)|mountain_?bik|e_?bik|velo|vélo|vtt|mtb|gravel_?ride|ride$)/, 'bike'],
  [/(?<![a-z])(run|jog|trail_?run|course)/, 'run'],
  [/(?<![a-z])(hik|mountain_?eering|trek|snow_?shoe|randonn)/, 'hike'],
  [/(?<![a-z])(walk|marche)/, 'walk'],
]

/** Returns the activity type of a sport; undefined for a sport that the service does not know. */
function activityTypeOfSport(sport: string | undefined): ActivityType | undefined {
  const word = sport?.trim().toLowerCase()
  return word ? SPORTS.find(([pattern]) => pattern.test(word))?.[1] : undefined
}

const GZIP_START = [0x1f, 0x8b]
/** Length of the end of a gzip file that states its unpacked size (RFC 1952). */
const SIZE_BYTES = 4

export function isGzip(bytes: Uint8Array): boolean {
  return GZIP_START.every((byte, i) => bytes[i] === byte)
}

/** Returns how large a file states to be once it is unpacked, at most as large as any may be. */
export function unpackedBytes(bytes: Uint8Array): number {
  if (!isGzip(bytes) || bytes.length < SIZE_BYTES) return bytes.length
  const stated = new DataView(bytes.buffer, bytes.byteOffset + bytes.length - SIZE_BYTES, SIZE_BYTES)
  return Math.max(bytes.length, Math.min(MAX_FILE_BYTES, stated.getUint32(0, true)))
}

const FIRST_ROOM = 1024

/** A point as a file has it. Fields that it lacks, or that cannot be read, are undefined. */
export type FilePoint = { timeMs?: number | undefined } & { [Column in ValueColumn]?: number | string | undefined }

/** Counts the points of a file, in all its tracks. */
export type PointAllowance = { left: number }

export function newPointAllowance(): PointAllowance {
  return { left: MAX_POINTS_PER_FILE }
}

/** Collects the points of one track as columns. What is no point at a time on the globe is counted and left out. */
export class PointCollector {
  readonly #allowance: PointAllowance
  #columns = emptyColumns(FIRST_ROOM)
  #count = 0
  #leftOut = 0

  constructor(allowance: PointAllowance) {
    this.#allowance = allowance
  }

  get count(): number {
    return this.#count
  }

  get leftOutCount(): number {
    return this.#leftOut
  }

  /**
   * Adds a point. An optional value that the service could not store, such as a heading of 400°, is taken as absent.
   * @throws ImportFileError for more points than a file may have
   */
  add(point: FilePoint): void {
    if (this.#allowance.left-- <= 0) {
      throw new ImportFileError('too_much', `has more than ${MAX_POINTS_PER_FILE.toLocaleString('en')} points`)
    }
    const { timeMs = Number.NaN } = point
    const isPlaced = NUMBER_FIELDS.every((field) => !field.isRequired || isWithin(point[field.column], field))
    if (!isPlaced || !isWritableTime(timeMs)) {
      this.#leftOut++
      return
    }
    const columns = this.#withRoom()
    const at = this.#count++
    columns.timeMs[at] = Math.trunc(timeMs)
    for (const field of NUMBER_FIELDS) {
      const value = point[field.column]
      columns[field.column][at] = isWithin(value, field) ? value : Number.NaN
    }
    for (const { column, choices } of CHOICE_FIELDS) {
      columns[column][at] = (choices as readonly unknown[]).indexOf(point[column]) + 1
    }
  }

  /** Returns the points in canonical order. */
  points(): PointColumns {
    return sortPoints(sliceColumns(this.#columns, 0, this.#count))
  }

  #withRoom(): PointColumns {
    if (this.#count === this.#columns.count) this.#columns = copied(this.#columns, 2 * this.#count)
    return this.#columns
  }
}

function copied(from: PointColumns, room: number): PointColumns {
  const to = emptyColumns(room)
  to.timeMs.set(from.timeMs)
  for (const { column } of NUMBER_FIELDS) to[column].set(from[column])
  for (const { column } of CHOICE_FIELDS) to[column].set(from[column])
  return to
}

type Bounds = { readonly min?: number; readonly max?: number }

function isWithin(value: unknown, { min, max }: Bounds): value is number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false
  return (min === undefined || value >= min) && (max === undefined || value <= max)
}

/** Returns the decimal number in a text; undefined for other text and for none. */
export function readNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : readDecimal(text)
}

/**
 * Returns the time in a text, and the offset that it states; undefined for other text. Beside RFC 3339, devices write a
 * space between date and time, and offsets without a colon.
 */
export function readTime(text: string | undefined): ReturnType<typeof parseDateTime> {
  if (text === undefined) return undefined
  const spelled = text.trim().replace(/^(\d{4}-\d\d-\d\d) /, '$1T')
  return parseDateTime(spelled.replace(/([+-]\d\d)(\d\d)?$/, (_, hours, minutes = '00') => `${hours}:${minutes}`))
}

/** Elements of a point's fields by the names that a format has for them. */
export type PointElements = ReadonlyMap<string, ValueColumn | 'timeMs'>

/** Takes a field of a point from an element. The first point tells the local time of its track. */
export function readPointElement(
  { name, text }: { name: string; text: string },
  elements: PointElements,
  point: FilePoint,
  track: { points: PointCollector; offsetMin: number | undefined },
): void {
  const field = elements.get(name)
  if (field === 'timeMs') {
    const time = readTime(text)
    point.timeMs = time?.timeMs
    if (track.points.count === 0) track.offsetMin = time?.offsetMin
  } else if (field !== undefined) point[field] = field === 'origin' ? text : readNumber(text)
}

/** The facts of a track in a file, besides its points. */
type TrackFacts = {
  title: string | undefined
  sport: string | undefined
  offsetMin: number | undefined
  totals?: TotalsInFile
}

/** Returns a track of a file. */
export function recordedTrack(
  points: PointCollector,
  { title, sport, offsetMin, totals = {} }: TrackFacts,
): RecordedTrack {
  return {
    title: readTitle(title),
    activityType: activityTypeOfSport(sport),
    offsetMin,
    totals: measuredTotals(totals),
    points: points.points(),
    leftOutCount: points.leftOutCount,
  }
}

/** Longest title of a track, in characters. */
const MAX_TITLE_LENGTH = 500

/** Returns the title in a text, cut to the length that a title may have; undefined for a blank text and for none. */
function readTitle(text: string | undefined): string | undefined {
  const title = text?.toWellFormed().replaceAll('\0', '').trim()
  return title ? Array.from(title).slice(0, MAX_TITLE_LENGTH).join('') : undefined
}

/** Totals as a file has them; undefined where it lacks one. */
export type TotalsInFile = { [Name in keyof DeviceTotals]?: number | undefined }

/** Totals that are never 0 in a track with points. A device that writes 0 did not measure them. */
const POSITIVE: readonly (keyof DeviceTotals)[] = ['distance_meters', 'duration_sec', 'max_speed_mps']
const MAY_BE_NEGATIVE: readonly (keyof DeviceTotals)[] = ['max_altitude_m', 'min_altitude_m']

/** Returns the totals that a device measured, the duration in whole seconds. */
function measuredTotals(totals: TotalsInFile): DeviceTotals {
  const measured = Object.entries(totals).filter(([name, value]) => {
    const key = name as keyof DeviceTotals
    if (value === undefined || !Number.isFinite(value)) return false
    return MAY_BE_NEGATIVE.includes(key) || (POSITIVE.includes(key) ? value > 0 : value >= 0)
  })
  const all = Object.fromEntries(measured) as DeviceTotals
  return all.duration_sec === undefined ? all : { ...all, duration_sec: Math.floor(all.duration_sec + 0.5) }
}

/** Adds a value to a total that may be unknown so far. */
export function plus(total: number | undefined, value: number | undefined): number | undefined {
  return value === undefined ? total : (total ?? 0) + value
}

/** Returns a value without the last bits that scaling adds: 279.6 for 279.6000000000000227. Keeps thousandths. */
export function withoutScalingNoise(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.round(value * 1000) / 1000
}
