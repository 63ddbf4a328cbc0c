import { useContext, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { fileSize } from '../../../src/platform/basics/text.ts'
import { knownZone, nameOfZone, TimeZone } from './time-zone.ts'
import { type System, unitsOf, useSystem } from './units.ts'

/** Formats for figures, times and dates in the language of the page. */
export type Format = ReturnType<typeof createFormat>

/** Slower than this, a pace would be hours for a kilometre: nobody is under way. */
const STANDING_MPS = 0.1

/** The times of races are told by 24 hours in every language, as on the pages of spectators and in files. */
const OF_24_HOURS = { hourCycle: 'h23' } as const

/** Creates the formats of a language and a system of units. Times are in `timeZone`; by default in the browser's. */
export function createFormat(language: string, timeZone?: string, system: System = 'metric') {
  const number = (digits: number) =>
    new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits })
  const [whole, oneDigit, twoDigits] = [number(0), number(1), number(2)]
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone })
  const moment = new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    ...OF_24_HOURS,
    timeZone,
  })
  const zone = new Intl.DateTimeFormat(language, { timeZoneName: 'short', timeZone })
  const zoneName = (iso: string | number) => nameOfZone(zone, new Date(iso))
  const dayOfYear = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone })
  // Two digits at most, and nothing below a metre: more would claim too much.
  const halfWidth = new Intl.NumberFormat(language, {
    maximumSignificantDigits: 2,
    maximumFractionDigits: 0,
    roundingPriority: 'lessPrecision',
  })
  const compact = new Intl.NumberFormat(language, { notation: 'compact' })
  const short = new Intl.NumberFormat(language, { maximumFractionDigits: 2 })
  const hours = new Intl.DateTimeFormat(language, { timeStyle: 'short', ...OF_24_HOURS, timeZone })
  const clock = new Intl.DateTimeFormat(language, { timeStyle: 'medium', ...OF_24_HOURS, timeZone })
  const slope = new Intl.NumberFormat(language, { style: 'percent', signDisplay: 'exceptZero' })
  const since = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const units = unitsOf(system, language)
  const high = (meters: number) => `${whole.format(meters / units.metersPerHigh)} ${units.high}`
  const speed = (mps: number) => `${oneDigit.format((mps * 3600) / units.metersPerFar)} ${units.speed}`
  /** Minutes and seconds for a kilometre or a mile. */
  const pace = (secPerKm: number) =>
    secPerKm > 0 ? `${minutesAndSeconds((secPerKm * units.metersPerFar) / 1000)} ${units.pace}` : '–'
  return {
    /** The reader's units. Figures come in metres and metres per second and leave in these. */
    units,
    count: (value: number) => whole.format(value),
    /** Short, for the axis of a chart: `20K`. */
    countShort: (value: number) => (value < 10_000 ? whole : compact).format(value),
    /** With as many digits as it has, two at most. */
    number: (value: number) => short.format(value),
    /** Kilometres or miles with two digits; short distances in whole metres or feet. */
    distance: (meters: number) =>
      meters < units.farFromMeters ? high(meters) : `${twoDigits.format(meters / units.metersPerFar)} ${units.far}`,
    /** Altitudes and climbs, in whole metres or feet. */
    meters: high,
    /** A climb with half of its interval, if it has one: `1,240 m ± 60`. */
    climb: (meters: number, interval: readonly number[] | undefined) =>
      interval === undefined
        ? high(meters)
        : `${high(meters)} ±\u00a0${halfWidth.format((interval[1] - meters) / units.metersPerHigh)}`,
    speed,
    pace,
    /** The pace on foot, the speed on a bike; a dash for the pace of somebody who stands. */
    rate: (activityType: string, mps: number) =>
      !isPaced(activityType) ? speed(mps) : pace(mps < STANDING_MPS ? 0 : 1000 / mps),
    /** A slope, rise divided by way: `+5%`. */
    gradient: (slopeShare: number) => slope.format(slopeShare),
    duration,
    span: (sec: number) => span(sec, whole),
    date: (iso: string) => day.format(new Date(iso)),
    /** A day without its year. */
    dayOfYear: (iso: string) => dayOfYear.format(new Date(iso)),
    /** A day and a clock time with its zone. */
    dateTime: (iso: string | number) => `${moment.format(new Date(iso))}\u00a0${zoneName(iso)}`,
    /** Two moments; their common parts are said once. */
    period: (from: string, until: string) => period(moment, zoneName, new Date(from), new Date(until)),
    /** Hours, minutes and seconds with their zone. */
    time: (iso: string | number) => `${clock.format(new Date(iso))}\u00a0${zoneName(iso)}`,
    /** The short name of the zone, which depends on the season: `CEST` or `UTC+2`. */
    zoneName,
    /** Hours and minutes without their zone, which must stand nearby. */
    clock: (iso: string | number) => hours.format(new Date(iso)),
    ago: (iso: string | number, nowMs: number) => ago(since, new Date(iso).getTime() - nowMs),
    bytes: (bytes: number) => fileSize(bytes, language),
  }
}

/**
 * The formats of the page's language and the reader's units. Times are in `timeZone`, an IANA name; by default in the
 * zone of the event that the page is about, or else in the browser's.
 */
export function useFormat(timeZone?: string): Format {
  const { i18n } = useTranslation()
  const system = useSystem()
  const around = useContext(TimeZone)
  const zone = knownZone(timeZone ?? around)
  return useMemo(
    () => createFormat(regionalOf(i18n.language, navigator.languages), zone, system),
    [i18n.language, zone, system],
  )
}

/** Tells whether those who do an activity compare paces: all but cyclists. */
export function isPaced(activityType: string): boolean {
  return activityType !== 'bike'
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
/** Returns two moments. If the zone changes in between, such as to summer time, each has its own. */
function period(moment: Intl.DateTimeFormat, zoneName: (iso: number) => string, from: Date, until: Date): string {
  const [first, last] = [zoneName(from.getTime()), zoneName(until.getTime())]
  if (first === last) return `${moment.formatRange(from, until)}\u00a0${last}`
  return `${moment.format(from)}\u00a0${first} – ${moment.format(until)}\u00a0${last}`
}

function span(sec: number, whole: Intl.NumberFormat): string {
  const [minutes, hours] = [Math.floor(sec / 60), Math.floor(sec / 3600)]
  if (minutes < 1) return `${whole.format(sec)} s`
  const [restSec, restMinutes] = [Math.floor(sec % 60), minutes % 60]
  if (hours < 1) return `${minutes} min${restSec > 0 ? ` ${restSec} s` : ''}`
  return hours < 100 && restMinutes > 0 ? `${hours} h ${restMinutes} min` : `${whole.format(hours)} h`
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
