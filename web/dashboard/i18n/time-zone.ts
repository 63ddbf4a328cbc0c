import { createContext } from 'react'

/** The time zone of a part of the page, such as its event's: an IANA name. */
export const TimeZone = createContext<string | undefined>(undefined)

/** Earlier results of `knownZone`: asking the browser takes long, and each component with a time asks. */
const asked = new Map<string, string | undefined>()

/** Returns a zone that this browser knows; undefined for one that only the server knows. */
export function knownZone(timeZone: string | undefined): string | undefined {
  if (timeZone === undefined) return undefined
  if (!asked.has(timeZone)) asked.set(timeZone, askBrowser(timeZone))
  return asked.get(timeZone)
}

function askBrowser(timeZone: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/** Returns the short name of a zone at a time. Browsers call offsets `GMT+2` in some languages, `UTC+2` in others. */
export function nameOfZone(format: Intl.DateTimeFormat, time: Date): string {
  const name = format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? 'UTC'
  return name.replace(/^GMT(?=[+\u2212-])/, 'UTC')
}

/** Returns a moment as the clocks of a zone (IANA name) show it, `2026-05-03T07:00:05`: the value of an input. */
export function wallTimeOf(timeMs: number, timeZone: string | undefined): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(timeMs)
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}`
}

/**
 * Returns the moment at which the clocks of a zone show a time; NaN for text that is none. Of a time
 * that comes twice, when clocks are set back, the first; of one that is skipped, when they are set
 * forward, the time as far after the change.
 */
export function momentOf(wallTime: string, timeZone: string | undefined): number {
  const asUtcMs = Date.parse(`${wallTime}Z`)
  if (Number.isNaN(asUtcMs)) return Number.NaN
  // The offset before and after a change; it differs only around one.
  const [before, after] = [-DAY_MS, DAY_MS].map((ms) => asUtcMs - offsetMs(asUtcMs + ms, timeZone))
  const exact = [before, after].filter((ms) => ms + offsetMs(ms, timeZone) === asUtcMs)
  return exact.length > 0 ? Math.min(...exact) : before
}

const DAY_MS = 86_400_000

function offsetMs(timeMs: number, timeZone: string | undefined): number {
  return Date.parse(`${wallTimeOf(timeMs, timeZone)}Z`) - Math.floor(timeMs / 1000) * 1000
}
