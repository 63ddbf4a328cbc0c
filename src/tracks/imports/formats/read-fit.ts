import FitParser from 'fit-file-parser'
import { measuredTotals, withoutScalingNoise } from '../recordings/file-values.ts'
import { newPointAllowance, type PointAllowance, PointCollector } from '../recordings/point-collector.ts'
import { ImportFileError, type RecordedTrack } from '../recordings/recorded-track.ts'
import { activityTypeOfSport } from '../recordings/sport.ts'
import { splitFit } from './check-fit.ts'

type ParsedFit = Awaited<ReturnType<FitParser['parseAsync']>>
type FitRecord = NonNullable<ParsedFit['records']>[number]
type FitSession = NonNullable<ParsedFit['sessions']>[number]

/** Largest difference of local time to UTC, in minutes. */
const MAX_OFFSET_MIN = 14 * 60
/** Local times are those of a zone, which differ by whole quarters of an hour. */
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
  return parts.map((session, i) => ({
    title: undefined,
    activityType: activityTypeOfSport(session?.sport?.toString()),
    offsetMin,
    totals: totalsOf(session),
    points: collectors[i].points(),
    leftOutCount: collectors[i].leftOutCount,
  }))
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

function totalsOf(session: FitSession | undefined): RecordedTrack['totals'] {
  if (session === undefined) return {}
  return measuredTotals({
    distance_meters: session.total_distance,
    duration_sec: session.total_elapsed_time,
    elevation_gain_m: session.total_ascent,
    elevation_loss_m: session.total_descent,
    max_speed_mps: session.enhanced_max_speed ?? session.max_speed,
    max_altitude_m: withoutScalingNoise(session.enhanced_max_altitude ?? session.max_altitude),
    min_altitude_m: withoutScalingNoise(session.enhanced_min_altitude ?? session.min_altitude),
  })
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
