import FitParser from 'fit-file-parser'
import {
  ImportFileError,
  MAX_POINTS_PER_FILE,
  newPointAllowance,
  type PointAllowance,
  PointCollector,
  type RecordedTrack,
  recordedTrack,
  type TotalsInFile,
  withoutScalingNoise,
} from './recorded-track.ts'

type ParsedFit = Awaited<ReturnType<FitParser['parseAsync']>>
type FitRecord = NonNullable<ParsedFit['records']>[number]
type FitSession = NonNullable<ParsedFit['sessions']>[number]

/** Largest difference of local time to UTC, in minutes. */
const MAX_OFFSET_MIN = 14 * 60
/** Local times of zones differ by whole quarters of an hour. */
const OFFSET_STEP_MIN = 15

/**
 * Reads the sessions of a FIT activity, each with the records of its time; sports of a triathlon are sessions. Records
 * without a position are readings of other sensors, and no points.
 * @throws ImportFileError for a wrong CRC, a file that is cut short or damaged, and a course
 */
export async function readFit(bytes: Uint8Array): Promise<RecordedTrack[]> {
  const allowance = newPointAllowance()
  const tracks: RecordedTrack[] = []
  for (const file of splitFit(bytes)) tracks.push(...tracksOf(await parse(file), allowance))
  return tracks
}

async function parse(file: Uint8Array): Promise<ParsedFit> {
  // Without `force`, the parser checks both CRCs.
  const parser = new FitParser({ mode: 'list', force: false, speedUnit: 'm/s', lengthUnit: 'm' })
  try {
    return await parser.parseAsync(Buffer.from(file))
  } catch (cause) {
    // The parser rejects with a text, or with an error where the messages contradict each other.
    const reason = cause instanceof Error ? cause.message : String(cause)
    if (/CRC mismatch/.test(reason)) throw new ImportFileError('damaged', 'is damaged: its CRC is wrong')
    throw new ImportFileError('damaged', `is no readable FIT file: ${reason}`)
  }
}

function tracksOf(fit: ParsedFit, allowance: PointAllowance): RecordedTrack[] {
  if (fit.file_ids?.[0]?.type === 'course')
    throw new ImportFileError('no_recording', 'is a course, which was planned and not recorded')
  const sessions = (fit.sessions ?? []).toSorted((a, b) => startOf(a) - startOf(b))
  const parts = sessions.length === 0 ? [undefined] : sessions
  const collectors = parts.map(() => new PointCollector(allowance))
  for (const record of fit.records ?? []) {
    if (record.position_lat === undefined && record.position_long === undefined) continue
    const timeMs = timeOf(record.timestamp)
    // A record belongs to the session that began last; those before all sessions belong to the first.
    const part = sessions.findLastIndex((session) => startOf(session) <= (timeMs ?? 0))
    addRecord(collectors[Math.max(0, part)], record, timeMs)
  }
  const offsetMin = offsetOf(fit)
  return parts.map((session, i) => {
    const sport = session?.sport?.toString()
    return recordedTrack(collectors[i], { title: undefined, sport, offsetMin, totals: totalsOf(session) })
  })
}

function addRecord(points: PointCollector, record: FitRecord, timeMs: number | undefined): void {
  points.add({
    timeMs,
    latitude: record.position_lat,
    longitude: record.position_long,
    altitude: withoutScalingNoise(record.enhanced_altitude ?? record.altitude),
    speedMps: record.enhanced_speed ?? record.speed,
    accuracy: record.gps_accuracy,
  })
}

function totalsOf(session: FitSession | undefined): TotalsInFile {
  if (session === undefined) return {}
  return {
    distance_meters: session.total_distance,
    duration_sec: session.total_elapsed_time,
    elevation_gain_m: session.total_ascent,
    elevation_loss_m: session.total_descent,
    max_speed_mps: session.enhanced_max_speed ?? session.max_speed,
    max_altitude_m: withoutScalingNoise(session.enhanced_max_altitude ?? session.max_altitude),
    min_altitude_m: withoutScalingNoise(session.enhanced_min_altitude ?? session.min_altitude),
  }
}

/** Returns the local time of the device, in minutes east of UTC; undefined where it says none, or the same as UTC. */
function offsetOf({ activity }: ParsedFit): number | undefined {
  const [utcMs, localMs] = [timeOf(activity?.timestamp), timeOf(activity?.local_timestamp)]
  if (utcMs === undefined || localMs === undefined) return undefined
  const offsetMin = Math.round((localMs - utcMs) / 60_000 / OFFSET_STEP_MIN) * OFFSET_STEP_MIN
  return offsetMin !== 0 && Math.abs(offsetMin) <= MAX_OFFSET_MIN ? offsetMin : undefined
}

function startOf({ start_time, timestamp }: FitSession): number {
  return timeOf(start_time) ?? timeOf(timestamp) ?? 0
}

function timeOf(value: unknown): number | undefined {
  return value === undefined ? undefined : new Date(value as Date | string).getTime()
}

const SIGNATURE_START = 8
const SIGNATURE = [0x2e, 0x46, 0x49, 0x54]
const DATA_SIZE_START = 4
const SMALLEST_HEADER = 12
const CRC_BYTES = 2
/** Beside its records, an activity has an event, a lap and some device messages now and then. */
const MAX_MESSAGES = 2 * MAX_POINTS_PER_FILE

/** Tells whether the bytes start with a header of the FIT protocol, with `.FIT` in its bytes 8 to 11. */
export function isFit(bytes: Uint8Array): boolean {
  return SIGNATURE.every((byte, i) => bytes[SIGNATURE_START + i] === byte)
}

/**
 * Cuts a file into the FIT files that are chained in it, nearly always one (FIT protocol, "Chained FIT Files"), and
 * counts their messages: each takes memory in the parser, however few bytes it has.
 * @throws ImportFileError for a file that is cut short, has other bytes at its end, or has too many messages
 */
function splitFit(bytes: Uint8Array): Uint8Array[] {
  const files: Uint8Array[] = []
  let messages = 0
  for (let at = 0; at < bytes.length; ) {
    const rest = bytes.subarray(at)
    if (!isFit(rest))
      throw at === 0
        ? new ImportFileError('unknown_format', 'is no FIT file')
        : new ImportFileError('damaged', 'has other bytes after its end')
    const headerBytes = rest[0]
    const dataBytes = new DataView(rest.buffer, rest.byteOffset).getUint32(DATA_SIZE_START, true)
    const end = headerBytes + dataBytes + CRC_BYTES
    if (headerBytes < SMALLEST_HEADER) throw new ImportFileError('damaged', 'has a FIT header of a wrong size')
    if (end > rest.length) {
      throw new ImportFileError(
        'cut_short',
        `is cut short: its header announces ${end} bytes, and ${rest.length} are there`,
      )
    }
    messages += countMessages(rest.subarray(0, end - CRC_BYTES), headerBytes, MAX_MESSAGES - messages)
    files.push(rest.subarray(0, end))
    at += end
  }
  return files
}

/** Counts messages from `at` on. What is no message is left to the parser, which refuses it. */
function countMessages(bytes: Uint8Array, at: number, limit: number): number {
  const sizes: MessageSizes = []
  let count = 0
  let next: number | undefined = at
  while (next !== undefined && next < bytes.length) {
    if (++count > limit)
      throw new ImportFileError('too_much', `has more than ${MAX_MESSAGES.toLocaleString('en')} messages`)
    next = endOfMessage(bytes, next, sizes)
  }
  return count
}

const COMPRESSED_HEADER = 0x80
const DEFINITION_HEADER = 0x40
const DEVELOPER_FIELDS = 0x20
/** Reserved byte, byte order, message number (2), field count: what precedes the fields of a definition. */
const DEFINITION_PREFIX = 5
const BYTES_PER_FIELD = 3

/** The bytes that the messages of each local type have, as a file has defined them so far. */
export type MessageSizes = (number | undefined)[]

/**
 * Returns the end of the message at `at`, and records its definition in `sizes`; undefined if it is not a message.
 * Follows the record layout of the FIT protocol (Garmin FIT SDK, "FIT Protocol"). The end may be beyond that of
 * `bytes`.
 */
export function endOfMessage(bytes: Uint8Array, at: number, sizes: MessageSizes): number | undefined {
  const header = bytes[at]
  if ((header & COMPRESSED_HEADER) === 0 && (header & DEFINITION_HEADER) !== 0) return endOfDefinition(bytes, at, sizes)
  const size = sizes[(header & COMPRESSED_HEADER) !== 0 ? (header >> 5) & 3 : header & 15]
  return size === undefined ? undefined : at + 1 + size
}

function endOfDefinition(bytes: Uint8Array, at: number, sizes: MessageSizes): number {
  let size = 0
  let next = at + 1 + DEFINITION_PREFIX
  const addFields = (count: number) => {
    for (let field = 0; field < count; field++) size += bytes[next + field * BYTES_PER_FIELD + 1] ?? 0
    next += count * BYTES_PER_FIELD
  }
  addFields(bytes[next - 1] ?? 0)
  if ((bytes[at] & DEVELOPER_FIELDS) !== 0) addFields(bytes[next++] ?? 0)
  sizes[bytes[at] & 15] = size
  return next
}
