import { createContext } from 'react'

/** The time zone of a part of the page, such as that of the event it is about: an IANA name. */
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
