import { csvFile, csvLines } from '#platform/basics/csv.ts'
import { formatDateTime } from '#platform/basics/time.ts'
import { type NamedTrack, trackName } from '../model/runner-names.ts'
import type { TrackRow } from '../model/tables.ts'
import { fieldValue } from '../points/point-columns.ts'
import { EXPORTED_FIELDS, POINT_FIELDS } from '../points/point-fields.ts'
import { statisticsSummary } from '../statistics/statistics.ts'
import { type ExportedTrack, type PointSlice, plainDecimal, pointSlices } from './exported-track.ts'

const HEADER = [POINT_FIELDS.timeMs, ...EXPORTED_FIELDS].map(({ key }) => key).join()

/**
 * Writes the points of a track as CSV (RFC 4180) with a header, in pieces; a field that was not sent is empty. No cell
 * holds text that someone else chose, so none can be a formula: all are times, numbers, or one of a few words.
 */
export async function* writeCsv({ pages }: ExportedTrack): AsyncGenerator<string> {
  yield `${HEADER}\r\n`
  for await (const points of pointSlices(pages)) {
    let text = ''
    for (let i = points.from; i < points.to; i++) text += `${line(points, i)}\r\n`
    yield text
  }
}

function line(points: PointSlice, i: number): string {
  const values = EXPORTED_FIELDS.map((field) => {
    const value = fieldValue(points, i, field)
    return typeof value === 'number' ? plainDecimal(value) : (value ?? '')
  })
  return [formatDateTime(points.timeMs[i]), ...values].join()
}

const ARCHIVE_INDEX_HEADER = [
  'file',
  'name',
  'title',
  'track_id',
  'device_track_id',
  'user_id',
  'activity_type',
  'start_ts',
  'end_ts',
  'points_count',
  'left_out',
  'distance_meters',
  'elevation_gain_m',
  'elevation_gain_low_m',
  'elevation_gain_high_m',
  'elevation_loss_m',
  'elevation_loss_low_m',
  'elevation_loss_high_m',
]

/**
 * Returns the first lines of the list of an archive, with a byte order mark, without which spreadsheets read names
 * wrongly.
 */
export function indexHead(): string {
  return csvFile([ARCHIVE_INDEX_HEADER])
}

/**
 * Returns the line of a track with its figures as last computed, as CSV.
 * @param file the name of its file, or undefined for one without, with the reason
 */
export function indexLine(row: TrackRow & NamedTrack, file: string | undefined, leftOut = ''): string {
  const end = row.end_ms === null ? '' : formatDateTime(row.end_ms)
  const texts = [
    file ?? '',
    trackName(row),
    row.title,
    row.id,
    row.device_track_id,
    row.user_id ?? '',
    row.activity_type,
  ]
  const figures = statisticsSummary(row)
  const [gainLow, gainHigh] = figures?.elevation_gain_interval_m ?? []
  const [lossLow, lossHigh] = figures?.elevation_loss_interval_m ?? []
  const climbs = [figures?.elevation_gain_m, gainLow, gainHigh, figures?.elevation_loss_m, lossLow, lossHigh]
  const meters = [figures?.distance_meters, ...climbs]
  const rounded = meters.map((value) => (value === undefined ? '' : Math.round(value * 10) / 10))
  const cells = [...texts, formatDateTime(row.start_ms), end, row.point_count, leftOut, ...rounded]
  return csvLines([cells])
}
