/** A moment, and the offset from UTC in which it was written, if it has one. */
type DateTime = { timeMs: number; offsetMin: number | undefined }

/** 0000-01-01T00:00:00.000Z and 9999-12-31T23:59:59.999Z: the range of RFC 3339 in UTC, with its four-digit years. */
export const MIN_TIME_MS = -62_167_219_200_000
export const MAX_TIME_MS = 253_402_300_799_999

const DAY_MS = 86_400_000
const PATTERN = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))?$/

/**
 * Parses an RFC 3339 date-time. Returns undefined for other text, including a date alone and an impossible date.
 * Without an offset, the time is UTC. `Z` and `-00:00` are UTC and say nothing about the local time (RFC 9557,
 * section 2), so they have no `offsetMin`; `+00:00` has one. Digits beyond milliseconds are cut off. `:60` is the next
 * minute's first second, so that leap seconds are accepted without a list of them. Times outside the years 0 to 9999 in
 * UTC could not be formatted and are refused.
 */
export function parseDateTime(text: string): DateTime | undefined {
  const parts = PATTERN.exec(text)
  if (parts === null) return undefined
  const [, year, month, day, hour, minute, second, fraction = '', sign, offsetHour, offsetMinute] = parts
  const dayMs = startOfDayMs(Number(year), Number(month), Number(day))
  const inDayMs = timeOfDayMs(Number(hour), Number(minute), Number(second))
  if (dayMs === undefined || inDayMs === undefined) return undefined
  const millisecond = Number(fraction.slice(0, 3).padEnd(3, '0'))
  const eastMin = sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(offsetHour) * 60 + Number(offsetMinute))
  const timeMs = dayMs + inDayMs + millisecond - eastMin * 60_000
  if (!isWritableTime(timeMs)) return undefined
  const saysOffset = sign === '+' || eastMin !== 0
  return { timeMs, offsetMin: saysOffset ? eastMin : undefined }
}

/** Formats a moment in UTC with milliseconds: `2026-11-21T10:00:00.000Z`. */
export function formatDateTime(timeMs: number): string {
  return new Date(timeMs).toISOString()
}

/** Formats a moment; null stays null. */
export function momentOrNull(timeMs: number | null): string | null {
  return timeMs === null ? null : formatDateTime(timeMs)
}

/** Returns the moment of a date-time in JSON; undefined for anything else. */
export function momentOf(value: unknown): number | undefined {
  return typeof value === 'string' ? parseDateTime(value)?.timeMs : undefined
}

/** Returns midnight UTC of a date in the years 0 to 9999, or undefined if the calendar has no such date. */
export function startOfDayMs(year: number, month: number, day: number): number | undefined {
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined
  // Date.UTC maps the years 0 to 99 to 1900 to 1999. The calendar repeats every 400 years of 146,097 days.
  return Date.UTC(year + 400, month - 1, day) - 146_097 * DAY_MS
}

/** Returns milliseconds since midnight; undefined if no such time exists. Second 60 is the next minute's second 0. */
export function timeOfDayMs(hour: number, minute: number, second: number): number | undefined {
  if (hour > 23 || minute > 59 || second > 60) return undefined
  return ((hour * 60 + minute) * 60 + second) * 1000
}

/** Tells whether the moment has a year of four digits in UTC. */
export function isWritableTime(timeMs: number): boolean {
  return timeMs >= MIN_TIME_MS && timeMs <= MAX_TIME_MS
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

const UNIT_MS: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Reads a length of time such as `90s`, `15m`, `24h` or `7d` in milliseconds; undefined for any other text. */
export function readDuration(text: string): number | undefined {
  const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  return amount === undefined ? undefined : Number(amount) * UNIT_MS[unit]
}

/** Returns the next time of change, which always increases, even within a millisecond or if the clock is set back. */
export function nextUpdate(row: { updated_at: number }, nowMs: number): number {
  return Math.max(nowMs, row.updated_at + 1)
}
