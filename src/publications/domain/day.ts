const DAY_MS = 86_400_000

/** Returns the day of a time in UTC, `2026-05-03`. */
export function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10)
}

/**
 * Returns the start of a day in milliseconds since 1970; undefined for a day that does not exist, such as `2026-02-30`.
 */
export function dayStartMs(day: string): number | undefined {
  const timeMs = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00.000Z`) : Number.NaN
  return Number.isFinite(timeMs) && dayOf(timeMs) === day ? timeMs : undefined
}

/** Returns the day that is `days` later, or earlier if it is negative. */
export function addDays(day: string, days: number): string {
  return dayOf(dayStartMs(day)! + days * DAY_MS)
}

/** Returns all days of a period, including the first and the last; none if the last is before the first. */
export function daysFrom(first: string, last: string): string[] {
  const length = (dayStartMs(last)! - dayStartMs(first)!) / DAY_MS + 1
  return Array.from({ length: Math.max(0, length) }, (_, at) => addDays(first, at))
}
