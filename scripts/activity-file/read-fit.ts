import FitParser from 'fit-file-parser'
import { endOfMessage, type MessageSizes } from '../../src/tracks/imports/read-fit.ts'
import {
  type ActivityFile,
  type ActivityPoint,
  type ActivityTotals,
  activityTypeOf,
  isOnGlobe,
} from './activity-file.ts'

type ParsedFit = Awaited<ReturnType<FitParser['parseAsync']>>
type FitRecord = NonNullable<ParsedFit['records']>[number]
type FitSession = NonNullable<ParsedFit['sessions']>[number]

const DATA_SIZE_START = 4

/** Reads a FIT activity; several sessions in one file count as one activity. Throws when it cannot be decoded. */
export async function readFit(bytes: Uint8Array): Promise<ActivityFile> {
  const fit = await parse(withTrueDataSize(bytes))
  const sessions = fit.sessions ?? []
  return {
    points: (fit.records ?? []).flatMap(toPoint),
    activityType: activityTypeOf(sessions[0]?.sport?.toString()),
    totals: { ...totalsOf(sessions), unlocatedMeters: unlocatedMeters(fit.records ?? []) },
    device: deviceOf(fit),
  }
}

async function parse(bytes: Buffer<ArrayBuffer>): Promise<ParsedFit> {
  // The library's own defaults, stated because every figure depends on them.
  const parser = new FitParser({ mode: 'list', force: true, speedUnit: 'm/s', lengthUnit: 'm' })
  try {
    return await parser.parseAsync(bytes)
  } catch (cause) {
    throw new Error(`not a readable FIT file: ${cause}`, { cause })
  }
}

/** Returns a copy that ends with the last readable message; the library refuses a file that is cut off or damaged. */
function withTrueDataSize(bytes: Uint8Array): Buffer<ArrayBuffer> {
  const copy = Buffer.from(bytes)
  const readable = fitReadableLength(copy) - copy[0]
  if (readable >= 0 && copy.readUInt32LE(DATA_SIZE_START) > readable) copy.writeUInt32LE(readable, DATA_SIZE_START)
  return copy
}

function toPoint(record: FitRecord): ActivityPoint[] {
  const { position_lat: latitude, position_long: longitude, timestamp } = record
  if (latitude === undefined || longitude === undefined || timestamp === undefined) return []
  if (!isOnGlobe(latitude, longitude)) return []
  const point: ActivityPoint = { latitude, longitude, timestamp: new Date(timestamp).toISOString() }
  const altitude = record.enhanced_altitude ?? record.altitude
  const speed = record.enhanced_speed ?? record.speed
  if (altitude !== undefined) point.altitude = altitude
  if (speed !== undefined) point.speed_mps = speed
  if (record.gps_accuracy !== undefined) point.accuracy = record.gps_accuracy
  return [point]
}

function totalsOf(sessions: FitSession[]): ActivityTotals {
  const speeds = sessions.map((session) => session.enhanced_max_speed ?? session.max_speed)
  return {
    distanceMeters: sum(sessions.map((session) => session.total_distance)),
    elapsedSec: sum(sessions.map((session) => session.total_elapsed_time)),
    timerSec: sum(sessions.map((session) => session.total_timer_time)),
    ascentMeters: sum(sessions.map((session) => session.total_ascent)),
    descentMeters: sum(sessions.map((session) => session.total_descent)),
    maxSpeedMps: positive(Math.max(...speeds.map((speed) => speed ?? 0))),
  }
}

function unlocatedMeters(records: FitRecord[]): number | undefined {
  const counted = records.filter(({ distance }) => distance !== undefined)
  const located = counted.filter((record) => record.position_lat !== undefined)
  if (located.length === 0) return undefined
  return located[0].distance! + counted[counted.length - 1].distance! - located[located.length - 1].distance!
}

function sum(values: (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined)
  return known.length === 0 ? undefined : known.reduce((total, value) => total + value, 0)
}

/** A maximum of 0 over an activity that moved is a field the device did not fill. */
function positive(value: number): number | undefined {
  return value > 0 ? value : undefined
}

function deviceOf(fit: ParsedFit): string {
  const id = fit.file_ids?.[0]
  return [id?.manufacturer, id?.product_name ?? id?.product].filter((part) => part !== undefined).join(' ')
}

const SMALLEST_HEADER = 12
/** The highest two bits are set in a header that is compressed or begins a definition. */
const SPECIAL_HEADER = 0xc0
/** Bits that are not set in any other header. Bytes that were overwritten often have them. */
const RESERVED_BITS = 0x30

/**
 * Returns the length of the part of a FIT file with complete, well-formed messages: less than the file if an upload was
 * cut short or bytes were overwritten.
 */
function fitReadableLength(bytes: Uint8Array): number {
  const sizes: MessageSizes = []
  let at = Math.max(bytes[0], SMALLEST_HEADER)
  while (at < bytes.length) {
    if ((bytes[at] & SPECIAL_HEADER) === 0 && (bytes[at] & RESERVED_BITS) !== 0) break
    const next = endOfMessage(bytes, at, sizes)
    if (next === undefined || next > bytes.length) break
    at = next
  }
  return Math.min(at, bytes.length)
}
