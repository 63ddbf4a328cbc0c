import { isWritableTime, startOfDayMs, timeOfDayMs } from '#platform/time/date-time.ts'
import { GIVE_UP, QUOTE } from './scan-text.ts'

const DASH = 0x2d
const PLUS = 0x2b
const POINT = 0x2e
const COLON = 0x3a
const LETTER_T = 0x74
const LETTER_Z = 0x7a
const LOWER_CASE = 0x20

/** Length of `2026-11-21T10:00:00`, which every date-time begins with. */
const SECONDS_LENGTH = 19

/** The last date read, as year, month and day in one number, and its start: points of one batch share it. */
const lastDate = { yearMonthDay: 19_700_101, startMs: 0 }

/**
 * Reads the date-time in the string whose opening quote is at `start` into `column[index]`, by the rules of
 * `parseDateTime`, and returns the offset after the closing quote; GIVE_UP for anything else.
 */
export function scanTimestamp(bytes: Buffer, start: number, column: Float64Array, index: number): number {
  const first = start + 1
  if (bytes[start] !== QUOTE || first + SECONDS_LENGTH >= bytes.length) return GIVE_UP
  if (bytes[first + 4] !== DASH || bytes[first + 7] !== DASH) return GIVE_UP
  if ((bytes[first + 10] | LOWER_CASE) !== LETTER_T) return GIVE_UP
  if (bytes[first + 13] !== COLON || bytes[first + 16] !== COLON) return GIVE_UP
  const dateMs = scanDate(bytes, first)
  const clockMs = scanClock(bytes, first + 11)
  if (dateMs === undefined || clockMs === undefined) return GIVE_UP
  column[index] = dateMs + clockMs
  const fractionEnd = scanFraction(bytes, first + SECONDS_LENGTH, column, index)
  const end = fractionEnd === GIVE_UP ? GIVE_UP : scanOffset(bytes, fractionEnd, column, index)
  return end !== GIVE_UP && bytes[end] === QUOTE && isWritableTime(column[index]) ? end + 1 : GIVE_UP
}

/** Returns the two digits at `at`, or a number so far below zero that every sum with it stays below zero. */
function twoDigits(bytes: Buffer, at: number): number {
  const tens = bytes[at] - 0x30
  const ones = bytes[at + 1] - 0x30
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : -1_000_000_000
}

function scanDate(bytes: Buffer, at: number): number | undefined {
  const year = twoDigits(bytes, at) * 100 + twoDigits(bytes, at + 2)
  const month = twoDigits(bytes, at + 5)
  const day = twoDigits(bytes, at + 8)
  const yearMonthDay = (year * 100 + month) * 100 + day
  if (yearMonthDay === lastDate.yearMonthDay) return lastDate.startMs
  const startMs = year < 0 ? undefined : startOfDayMs(year, month, day)
  if (startMs !== undefined) {
    lastDate.yearMonthDay = yearMonthDay
    lastDate.startMs = startMs
  }
  return startMs
}

function scanClock(bytes: Buffer, at: number): number | undefined {
  const hour = twoDigits(bytes, at)
  const minute = twoDigits(bytes, at + 3)
  const second = twoDigits(bytes, at + 6)
  return hour < 0 || minute < 0 || second < 0 ? undefined : timeOfDayMs(hour, minute, second)
}

/** Adds the milliseconds of a fraction, if there is one, and skips its further digits. */
function scanFraction(bytes: Buffer, start: number, column: Float64Array, index: number): number {
  if (bytes[start] !== POINT) return start
  let at = start + 1
  let placeMs = 100
  let fractionMs = 0
  while (bytes[at] >= 0x30 && bytes[at] <= 0x39) {
    if (placeMs >= 1) fractionMs += (bytes[at] - 0x30) * placeMs
    placeMs /= 10
    at++
  }
  column[index] += fractionMs
  return at === start + 1 ? GIVE_UP : at
}

function scanOffset(bytes: Buffer, at: number, column: Float64Array, index: number): number {
  const sign = bytes[at]
  if (sign === QUOTE) return at
  if ((sign | LOWER_CASE) === LETTER_Z) return at + 1
  if ((sign !== PLUS && sign !== DASH) || bytes[at + 3] !== COLON) return GIVE_UP
  const hour = twoDigits(bytes, at + 1)
  const minute = twoDigits(bytes, at + 4)
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59) return GIVE_UP
  const eastMs = (hour * 60 + minute) * 60_000
  column[index] -= sign === PLUS ? eastMs : -eastMs
  return at + 6
}
