import { formatDateTime } from '#platform/time/date-time.ts'
import { copyText, type Output, outputText, writeDigits } from './write-bytes.ts'

/** Length of `2026-11-21T10:00:00.000Z`. */
export const TIMESTAMP_BYTES = 24

const MINUTE_MS = 60_000

/** Offsets of the seconds and the milliseconds. */
const SECONDS_AT = 17
const MILLISECONDS_AT = 20

/** The last minute written, as the two parts of its text; successive points mostly share it. */
const lastMinute = { startMs: 0, ...minuteTexts(0) }

/** Writes a time of the years 0 to 9999 as `formatDateTime` does, and returns the offset after it. */
export function writeTimestamp(output: Output, at: number, timeMs: number): number {
  let inMinuteMs = timeMs - lastMinute.startMs
  if (!(inMinuteMs >= 0 && inMinuteMs < MINUTE_MS)) {
    const startMs = Math.floor(timeMs / MINUTE_MS) * MINUTE_MS
    Object.assign(lastMinute, { startMs }, minuteTexts(startMs))
    inMinuteMs = timeMs - startMs
  }
  copyText(output, copyText(output, at, lastMinute.front), lastMinute.back)
  const second = (inMinuteMs / 1000) | 0
  writeDigits(output.bytes, at + SECONDS_AT, at + SECONDS_AT + 2, second)
  writeDigits(output.bytes, at + MILLISECONDS_AT, at + MILLISECONDS_AT + 3, (inMinuteMs | 0) - second * 1000)
  return at + TIMESTAMP_BYTES
}

function minuteTexts(startMs: number) {
  const text = formatDateTime(startMs)
  return { front: outputText(text.slice(0, 12)), back: outputText(text.slice(12)) }
}
