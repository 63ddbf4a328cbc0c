import type { ActivityFile } from '../activity-file/activity-file.ts'
import type { FinishedTrack } from './report.ts'

type Row = {
  label: string
  server: number | undefined
  file: number | undefined
  format: (value: number) => string
}

/**
 * Formats the server's statistics next to the device's totals from the file, as an aligned table. A missing value is a
 * dash.
 */
export function comparisonTable(file: ActivityFile, track: FinishedTrack): string {
  const cells = rowsOf(file, track)
    .filter(({ server, file: own }) => server !== undefined || own !== undefined)
    .map(({ label, server, file: own, format }) => [
      label,
      server === undefined ? '–' : format(server),
      own === undefined ? '–' : format(own),
      differenceOf(server, own, format),
    ])
  return aligned([['', 'server', 'file', 'difference'], ...cells])
}

function rowsOf({ points, totals, activityType }: ActivityFile, { points_count, stats }: FinishedTrack): Row[] {
  const { distanceMeters, elapsedSec } = totals
  const isKnown = distanceMeters !== undefined && elapsedSec !== undefined && elapsedSec > 0 && distanceMeters > 0
  const meanSpeed = { server: stats.mean_speed_mps, file: isKnown ? distanceMeters / elapsedSec : undefined }
  const pace = { server: stats.pace_sec_per_km, file: isKnown ? (elapsedSec / distanceMeters) * 1000 : undefined }
  return [
    { label: 'Points', server: points_count, file: points.length, format: formatCount },
    { label: 'Distance', server: stats.distance_meters, file: distanceMeters, format: formatKm },
    { label: 'Elapsed time', server: stats.duration_sec, file: elapsedSec, format: formatDuration },
    { label: 'Moving time (timer)', server: stats.moving_time_sec, file: totals.timerSec, format: formatDuration },
    activityType === 'bike'
      ? { label: 'Mean speed', ...meanSpeed, format: formatKmh }
      : { label: 'Pace', ...pace, format: formatPace },
    { label: 'Maximum speed', server: stats.max_speed_mps, file: totals.maxSpeedMps, format: formatKmh },
    { label: 'Climb', server: stats.elevation_gain_m, file: totals.ascentMeters, format: formatMeters },
    { label: 'Descent', server: stats.elevation_loss_m, file: totals.descentMeters, format: formatMeters },
    { label: 'Highest point', server: stats.max_altitude_m, file: undefined, format: formatMeters },
    { label: 'Lowest point', server: stats.min_altitude_m, file: undefined, format: formatMeters },
  ]
}

/** Formats a difference: `+20 m (+0.2 %)`, or `same`. Empty without two values to compare. */
function differenceOf(server: number | undefined, file: number | undefined, format: Row['format']) {
  if (server === undefined || file === undefined) return ''
  const difference = server - file
  const shown = format(Math.abs(difference))
  if (format(server) === format(file) || shown === format(0)) return 'same'
  const sign = difference < 0 ? '−' : '+'
  const percent = Math.abs((difference / file) * 100).toFixed(1)
  const isTelling = file !== 0 && percent !== '0.0'
  return `${sign}${shown}${isTelling ? ` (${sign}${percent} %)` : ''}`
}

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  const line = (row: readonly string[]) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join('   ')
  return rows.map((row) => line(row).trimEnd()).join('\n')
}

/** Formats a number: `1,234`. */
export function formatCount(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 0 })
}

/** Formats a count with its noun: `1 point`, `1,234 points`. */
export function countOf(count: number, word: string): string {
  return `${formatCount(count)} ${word}${count === 1 ? '' : 's'}`
}

/** Formats a distance: `12.35 km`. */
function formatKm(meters: number): string {
  return `${(meters / 1000).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })} km`
}

/** Formats metres: `1,234 m`; -0.2 becomes 0 m. */
function formatMeters(meters: number): string {
  return `${formatCount(Math.round(meters) + 0)} m`
}

/** Formats a speed: `18.3 km/h`. */
function formatKmh(metersPerSec: number): string {
  return `${(metersPerSec * 3.6).toFixed(1)} km/h`
}

const SECONDS_PER_DAY = 86_400
/** Up to this duration, hours are easier to compare than days. */
const MANY_DAYS = 4

/** Formats a duration, rounded to seconds or days: `4:05`, `1:02:03`, `12 days`. */
export function formatDuration(seconds: number): string {
  if (seconds > MANY_DAYS * SECONDS_PER_DAY) return countOf(Math.round(seconds / SECONDS_PER_DAY), 'day')
  const whole = Math.round(seconds)
  const minutes = Math.floor(whole / 60)
  const two = (value: number) => String(value).padStart(2, '0')
  if (minutes < 60) return `${minutes}:${two(whole % 60)}`
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(whole % 60)}`
}

/** Formats a pace: `5:14 min/km`. */
function formatPace(secPerKm: number): string {
  return `${formatDuration(secPerKm)} min/km`
}
