import { stringify } from 'csv-stringify/sync'
import { formatDateTime } from '#platform/time/date-time.ts'
import type { TrackRow } from '../../storage/tables.ts'

const HEADER = [
  'file',
  'title',
  'track_id',
  'device_track_id',
  'user_id',
  'activity_type',
  'start_ts',
  'end_ts',
  'points_count',
  'left_out',
]

/**
 * Returns the first lines of the list of an archive, with a byte order mark, without which spreadsheets read names
 * wrongly.
 */
export function indexHead(): string {
  return stringify([HEADER], { bom: true, record_delimiter: 'windows' })
}

/**
 * Returns the line of a track, as CSV (RFC 4180). Text that a spreadsheet would take for a formula gets an apostrophe
 * before it (OWASP, "CSV Injection").
 * @param file the name of its file, or undefined for one without, with the reason
 */
export function indexLine(row: TrackRow, file: string | undefined, leftOut = ''): string {
  const end = row.end_ms === null ? '' : formatDateTime(row.end_ms)
  const texts = [file ?? '', row.title, row.id, row.device_track_id, row.user_id ?? '', row.activity_type]
  const cells = [...texts, formatDateTime(row.start_ms), end, row.point_count, leftOut]
  return stringify([cells], { escape_formulas: true, record_delimiter: 'windows' })
}
