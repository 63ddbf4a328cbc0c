import { readDecimal } from '#platform/text/read-decimal.ts'
import { parseDateTime } from '#platform/time/date-time.ts'
import type { DeviceTotals } from './recorded-track.ts'

/** Returns the decimal number in a text; undefined for other text and for none. */
export function readNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : readDecimal(text)
}

/**
 * Returns the time in a text, and the offset that it states; undefined for other text. Beside RFC 3339, devices write a
 * space between date and time, and offsets without a colon.
 */
export function readTime(text: string | undefined): ReturnType<typeof parseDateTime> {
  if (text === undefined) return undefined
  const spelled = text.trim().replace(/^(\d{4}-\d\d-\d\d) /, '$1T')
  return parseDateTime(spelled.replace(/([+-]\d\d)(\d\d)?$/, (_, hours, minutes = '00') => `${hours}:${minutes}`))
}

/** Longest title of a track, in characters. */
const MAX_TITLE_LENGTH = 500

/** Returns the title in a text, cut to the length that a title may have; undefined for a blank text and for none. */
export function readTitle(text: string | undefined): string | undefined {
  const title = text?.toWellFormed().replaceAll('\0', '').trim()
  return title ? Array.from(title).slice(0, MAX_TITLE_LENGTH).join('') : undefined
}

/** Totals as a file has them; undefined where it lacks one. */
export type TotalsInFile = { [Name in keyof DeviceTotals]?: number | undefined }

/** Totals that are never 0 in a track with points. A device that writes 0 did not measure them. */
const POSITIVE: readonly (keyof DeviceTotals)[] = ['distance_meters', 'duration_sec', 'max_speed_mps']
const MAY_BE_NEGATIVE: readonly (keyof DeviceTotals)[] = ['max_altitude_m', 'min_altitude_m']

/** Returns the totals that a device measured, the duration in whole seconds. */
export function measuredTotals(totals: TotalsInFile): DeviceTotals {
  const measured = Object.entries(totals).filter(([name, value]) => {
    const key = name as keyof DeviceTotals
    if (value === undefined || !Number.isFinite(value)) return false
    return MAY_BE_NEGATIVE.includes(key) || (POSITIVE.includes(key) ? value > 0 : value >= 0)
  })
  const all = Object.fromEntries(measured) as DeviceTotals
  return all.duration_sec === undefined ? all : { ...all, duration_sec: Math.floor(all.duration_sec + 0.5) }
}

/** Adds a value to a total that may be unknown so far. */
export function plus(total: number | undefined, value: number | undefined): number | undefined {
  return value === undefined ? total : (total ?? 0) + value
}

/** Returns a value without the last bits that scaling adds: 279.6 for 279.6000000000000227. Keeps thousandths. */
export function withoutScalingNoise(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.round(value * 1000) / 1000
}
