import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { fileSize } from '../../../src/platform/file-size.ts'

/** Formats for figures, times and dates in the language of the page. */
export type Format = ReturnType<typeof createFormat>

/** Creates the formats of a language. Times are in the browser's time zone. */
export function createFormat(language: string, timeZone?: string) {
  const number = (digits: number) =>
    new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits })
  const [whole, oneDigit, twoDigits] = [number(0), number(1), number(2)]
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone })
  const moment = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone })
  const dayOfYear = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone })
  const compact = new Intl.NumberFormat(language, { notation: 'compact' })
  const short = new Intl.NumberFormat(language, { maximumFractionDigits: 2 })
  const hours = new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone })
  const clock = new Intl.DateTimeFormat(language, { timeStyle: 'medium', timeZone })
  const since = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  return {
    count: (value: number) => whole.format(value),
    /** Short, for the axis of a chart: `20K`. */
    countShort: (value: number) => (value < 10_000 ? whole : compact).format(value),
    /** With as many digits as it has, two at most. */
    number: (value: number) => short.format(value),
    /** Kilometers with two digits, below one kilometer whole meters. */
    distance: (meters: number) =>
      meters < 1000 ? `${whole.format(meters)} m` : `${twoDigits.format(meters / 1000)} km`,
    meters: (meters: number) => `${whole.format(meters)} m`,
    speed: (mps: number) => `${oneDigit.format(mps * 3.6)} km/h`,
    /** Minutes and seconds for a kilometer. */
    pace: (secPerKm: number) => (secPerKm > 0 ? `${minutesAndSeconds(secPerKm)} /km` : '–'),
    duration,
    span: (sec: number) => span(sec, whole),
    date: (iso: string) => day.format(new Date(iso)),
    /** A day without its year. */
    dayOfYear: (iso: string) => dayOfYear.format(new Date(iso)),
    dateTime: (iso: string | number) => moment.format(new Date(iso)),
    time: (iso: string | number) => clock.format(new Date(iso)),
    /** Hours and minutes. */
    clock: (iso: string | number) => hours.format(new Date(iso)),
    ago: (iso: string | number, nowMs: number) => ago(since, new Date(iso).getTime() - nowMs),
    bytes: (bytes: number) => fileSize(bytes, language),
  }
}

/** The formats of the page's language. */
export function useFormat(): Format {
  const { i18n } = useTranslation()
  return useMemo(() => createFormat(regionalOf(i18n.language, navigator.languages)), [i18n.language])
}

/** Returns the regional form of a language: `en-GB` for a page in English, if the browser prefers that. */
export function regionalOf(language: string, preferred: readonly string[]): string {
  return preferred.find((tag) => tag.split('-')[0] === language && isLanguageTag(tag)) ?? language
}

/** Browsers pass on the system's locale, such as `en-US@posix`, which `Intl` rejects. */
function isLanguageTag(tag: string): boolean {
  return /^[a-z0-9]+(-[a-z0-9]+)*$/i.test(tag)
}

function minutesAndSeconds(sec: number): string {
  const whole = Math.round(sec)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

/** Returns hours, minutes and seconds as a stopwatch shows them. */
function duration(sec: number): string {
  const whole = Math.round(sec)
  const hours = Math.floor(whole / 3600)
  const rest = `${String(Math.floor((whole % 3600) / 60)).padStart(hours > 0 ? 2 : 1, '0')}:${String(whole % 60).padStart(2, '0')}`
  return hours > 0 ? `${hours}:${rest}` : rest
}

/** Returns a time in its two largest units, which are written alike in all languages of the dashboard. */
function span(sec: number, whole: Intl.NumberFormat): string {
  const [minutes, hours] = [Math.floor(sec / 60), Math.floor(sec / 3600)]
  if (minutes < 1) return `${whole.format(sec)} s`
  if (hours < 1) return `${minutes} min ${Math.floor(sec % 60)} s`
  return hours < 100 ? `${hours} h ${minutes % 60} min` : `${whole.format(hours)} h`
}

/** Average months and years; nothing that long ago needs a more exact age. */
const SPANS = [
  ['year', 365.25 * 86_400_000],
  ['month', (365.25 / 12) * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

function ago(format: Intl.RelativeTimeFormat, differenceMs: number): string {
  // The clocks of server and browser differ, and a recent event is not in the future.
  if (differenceMs > 0 && differenceMs < 60_000) return format.format(0, 'second')
  for (const [unit, lengthMs] of SPANS) {
    if (Math.abs(differenceMs) >= lengthMs) return format.format(Math.trunc(differenceMs / lengthMs), unit)
  }
  return format.format(Math.trunc(differenceMs / 1000), 'second')
}
