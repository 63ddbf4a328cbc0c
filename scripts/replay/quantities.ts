/** Formats a number: `1,234`. */
export function formatCount(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 0 })
}

/** Formats a count with its noun: `1 point`, `1,234 points`. */
export function countOf(count: number, word: string): string {
  return `${formatCount(count)} ${word}${count === 1 ? '' : 's'}`
}

/** Formats a distance: `12.35 km`. */
export function formatKm(meters: number): string {
  return `${(meters / 1000).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })} km`
}

/** Formats metres: `1,234 m`; -0.2 becomes 0 m. */
export function formatMeters(meters: number): string {
  return `${formatCount(Math.round(meters) + 0)} m`
}

/** Formats a speed: `18.3 km/h`. */
export function formatKmh(metersPerSec: number): string {
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
export function formatPace(secPerKm: number): string {
  return `${formatDuration(secPerKm)} min/km`
}
