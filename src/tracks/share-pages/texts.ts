import type { KeyOf, Translate } from '#platform/basics/translate.ts'
import { readPageTexts } from '#platform/pages/page-texts.ts'
import { titleIn } from '../model/titles.ts'
import type english from './texts.en.json'

type Key = KeyOf<typeof english>

/** Returns a text of the spectators' pages. Counts come with the figure as it is written. */
export type PageTranslate = Translate<Key>

/** Texts of the spectators' pages. */
export const TEXTS = readPageTexts<Key>(new URL('texts.en.json', import.meta.url))

/** Formats of figures, times and dates on a spectators' page. */
export type Formats = ReturnType<typeof createFormats>

const MINUTE_SEC = 60
const HOUR_SEC = 3600
const DAY_SEC = 86_400

/** Decimal places of a position in degrees: about a metre. */
const POSITION_DIGITS = 5

/** Creates the formats of a language. Times are in the event's time zone (IANA name). */
export function createFormats(language: string, timeZone: string) {
  // For English that of Britain, because its dates and times are read in most of the world.
  const locale = TEXTS.of(language)('locale')
  const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 })
  // Two digits at most, and nothing below a metre: more would claim too much.
  const halfWidth = new Intl.NumberFormat(locale, {
    maximumSignificantDigits: 2,
    maximumFractionDigits: 0,
    roundingPriority: 'lessPrecision',
  })
  const twoDigits = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  const oneDigit = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  // The days of an event are dates of the calendar, which have no zone.
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone })
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone })
  const dayOf = new Intl.DateTimeFormat('en-CA', { timeZone })
  const zone = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' })
  const since = new Intl.RelativeTimeFormat(locale, { numeric: 'always', style: 'long' })
  return {
    /** The name of a track, of which a generated title is told in the language. */
    trackName: (name: string, start?: string | number) => titleIn(locale, name, start),
    count: (value: number) => whole.format(value),
    /** Kilometres with two digits, below one kilometre whole metres. */
    distance: (meters: number) =>
      meters < 1000 ? `${whole.format(meters)}\u00a0m` : `${twoDigits.format(meters / 1000)}\u00a0km`,
    /** Altitudes and climbs in whole metres. */
    meters: (meters: number) => `${whole.format(meters)}\u00a0m`,
    /** A climb in whole metres with half of its interval, if it has one: `1,240 m ± 60`. */
    climb: (meters: number, interval: readonly number[] | undefined) =>
      `${whole.format(meters)}\u00a0m${interval ? `\u00a0±\u00a0${halfWidth.format(interval[1] - meters)}` : ''}`,
    /** The pace on foot, the speed on a bike; a dash for nobody who moves. */
    rate: (activityType: string, mps: number) => {
      if (activityType === 'bike') return `${oneDigit.format(mps * 3.6)}\u00a0km/h`
      return mps < 0.1 ? '–' : `${stopwatch(1000 / mps)}\u00a0/km`
    },
    duration: stopwatch,
    position: (latitude: number, longitude: number) =>
      `${latitude.toFixed(POSITION_DIGITS)}, ${longitude.toFixed(POSITION_DIGITS)}`,
    /** A day, or the days from the first to the last, each as `2026-05-03`. */
    days: (first: string | null, last: string | null) => {
      const [from, to] = [first ?? last, last ?? first]
      if (from === null || to === null) return undefined
      return day.formatRange(new Date(`${from}T00:00:00Z`), new Date(`${to}T00:00:00Z`))
    },
    /** The time of a moment, with its day unless that is the day of `nowMs`. */
    time: (timeMs: number, nowMs: number) =>
      (dayOf.format(timeMs) === dayOf.format(nowMs) ? clock : moment).format(timeMs),
    dateTime: (timeMs: number) => moment.format(timeMs),
    /** The short name of the event's zone at a moment, such as `CEST`. */
    zone: (timeMs: number) => zone.formatToParts(timeMs).find(({ type }) => type === 'timeZoneName')?.value ?? timeZone,
    /** An age in its largest unit, seconds included: a runner looks whether the phone sends. */
    secondsAgo: (ageSec: number) => {
      if (ageSec < MINUTE_SEC) return since.format(-Math.floor(ageSec), 'second')
      if (ageSec < HOUR_SEC) return since.format(-Math.floor(ageSec / MINUTE_SEC), 'minute')
      return since.format(-Math.floor(ageSec / HOUR_SEC), 'hour')
    },
    /** An age in its largest unit; undefined below a minute. A moment to come has no age. */
    ago: (ageSec: number) => {
      if (ageSec < MINUTE_SEC) return undefined
      if (ageSec < HOUR_SEC) return since.format(-Math.floor(ageSec / MINUTE_SEC), 'minute')
      if (ageSec < DAY_SEC) return since.format(-Math.floor(ageSec / HOUR_SEC), 'hour')
      return since.format(-Math.floor(ageSec / DAY_SEC), 'day')
    },
  }
}

/** Writes seconds as a stopwatch does: hours, minutes and seconds. */
function stopwatch(sec: number): string {
  const whole = Math.round(sec)
  const hours = Math.floor(whole / HOUR_SEC)
  const minutes = String(Math.floor((whole % HOUR_SEC) / MINUTE_SEC)).padStart(hours > 0 ? 2 : 1, '0')
  const rest = `${minutes}:${String(whole % MINUTE_SEC).padStart(2, '0')}`
  return hours > 0 ? `${hours}:${rest}` : rest
}
