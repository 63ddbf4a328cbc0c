/** A moment, and the offset from UTC in which it was written, if it says one. */
export type DateTime = { timeMs: number; offsetMin: number | undefined }

/** 0000-01-01T00:00:00.000Z and 9999-12-31T23:59:59.999Z: what RFC 3339 can write in UTC, with its four-digit years. */
export const MIN_TIME_MS = -62_167_219_200_000
export const MAX_TIME_MS = 253_402_300_799_999

const DAY_MS = 86_400_000
const PATTERN = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))?$/

/**
 * Reads an RFC 3339 date-time, or gives undefined for anything else, also for a date alone and for an impossible date.
 * Without an offset it is UTC. `Z` and `-00:00` are UTC and say nothing about the local time (RFC 9557, section 2), so
 * they carry no `offsetMin`; `+00:00` does. Digits beyond milliseconds are cut off. `:60` is the next minute's first
 * second, so that no leap second is refused and none has to be known. What lies outside the years 0 to 9999 in UTC
 * could not be written again and is refused.
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

/** The moment in UTC with milliseconds: `2026-11-21T10:00:00.000Z`. */
export function formatDateTime(timeMs: number): string {
  return new Date(timeMs).toISOString()
}

/** Midnight UTC of a date of the years 0 to 9999; undefined where the calendar has no such date. */
export function startOfDayMs(year: number, month: number, day: number): number | undefined {
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined
  // Date.UTC takes the years 0 to 99 for 1900 to 1999; the calendar repeats every 400 years of 146,097 days.
  return Date.UTC(year + 400, month - 1, day) - 146_097 * DAY_MS
}

/** Milliseconds since midnight; undefined where the clock has no such time. Second 60 is the next minute's second 0. */
export function timeOfDayMs(hour: number, minute: number, second: number): number | undefined {
  if (hour > 23 || minute > 59 || second > 60) return undefined
  return ((hour * 60 + minute) * 60 + second) * 1000
}

/** Whether the moment has a year of four digits in UTC. */
export function isWritableTime(timeMs: number): boolean {
  return timeMs >= MIN_TIME_MS && timeMs <= MAX_TIME_MS
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}
