import { foldText } from '#platform/basics/text.ts'
import generated from './generated-titles.json' with { type: 'json' }

/** Generated titles in the languages of readers. French, in which titles are generated, is not among them. */
const TRANSLATED: Readonly<Record<string, string>> = generated

const MONTHS = [
  'janvier',
  'février',
  'mars',
  'avril',
  'mai',
  'juin',
  'juillet',
  'août',
  'septembre',
  'octobre',
  'novembre',
  'décembre',
] as const

const MINUTE_MS = 60_000

const clocks = new Map<string, Intl.DateTimeFormat>()

/**
 * Returns the title of a track that was sent without one: `Sortie du 3 mai à 08h15`. The local time uses the offset in
 * the start time, otherwise `timeZone`, an IANA name.
 * @throws RangeError for an unknown zone
 */
export function generateTitle(startMs: number, offsetMin: number | undefined, timeZone: string): string {
  const { day, month, hour, minute } =
    offsetMin === undefined ? clockInZone(startMs, timeZone) : clockAtOffset(startMs, offsetMin)
  return `Sortie du ${day} ${MONTHS[month - 1]} à ${twoDigits(hour)}h${twoDigits(minute)}`
}

const GENERATED = /^Sortie du ([1-9]|[12]\d|3[01]) ([a-zéû]{3,9}) à ([01]\d|2[0-3])h([0-5]\d)$/

/** Offsets of local times from UTC lie within these, in steps of a quarter of an hour. */
const [MIN_OFFSET_MIN, MAX_OFFSET_MIN, OFFSET_STEP_MIN] = [-12 * 60, 14 * 60, 15]
const DAY_MIN = 24 * 60

/** A leap year, so that every day of a title exists. */
const SOME_YEAR = 2024

/**
 * Returns a generated title in the language of a reader, with the same local time: `Track from 3 May, 08:15`. Every
 * other title stays as it is. Also runs in the browser.
 * @param language tag of the language, such as `en-GB`
 * @param start time of the track's start, where it is known: a title that somebody typed for another time stays
 */
export function titleIn(language: string, title: string, start?: string | number): string {
  const translated = TRANSLATED[language.split('-')[0]]
  const clock = translated === undefined ? undefined : generatedClock(title, start)
  if (clock === undefined) return title
  const moment = Date.UTC(SOME_YEAR, clock.month - 1, clock.day, clock.hour, clock.minute)
  const { day, time } = formatsOf(language)
  return translated.replace('{{day}}', day.format(moment)).replace('{{time}}', time.format(moment))
}

/** Returns the local time in a generated title; undefined for one that nobody generated for a track of this start. */
function generatedClock(title: string, start: string | number | undefined): Clock | undefined {
  const found = GENERATED.exec(title)
  if (found === null) return undefined
  const [, day, monthName, hour, minute] = found
  const month = MONTHS.indexOf(monthName as (typeof MONTHS)[number]) + 1
  if (month === 0) return undefined
  const clock = {
    day: Number(day),
    month,
    hour: Number(hour),
    minute: Number(minute),
  }
  return start === undefined || isTimeOf(new Date(start).getTime(), clock, title) ? clock : undefined
}

/** Tells whether a title is the generated one of a start somewhere on earth. */
function isTimeOf(startMs: number, { hour, minute }: Clock, title: string): boolean {
  const utc = clockAtOffset(startMs, 0)
  const eastMin = (hour - utc.hour) * 60 + minute - utc.minute
  return [eastMin - DAY_MIN, eastMin, eastMin + DAY_MIN].some(
    (offsetMin) =>
      offsetMin >= MIN_OFFSET_MIN &&
      offsetMin <= MAX_OFFSET_MIN &&
      offsetMin % OFFSET_STEP_MIN === 0 &&
      generateTitle(startMs, offsetMin, 'UTC') === title,
  )
}

type Formats = { day: Intl.DateTimeFormat; time: Intl.DateTimeFormat }

const formats = new Map<string, Formats>()

/** Returns the formats of a language. There are as many as the pages have languages. */
function formatsOf(language: string): Formats {
  const known = formats.get(language)
  if (known !== undefined) return known
  const made = {
    day: new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', timeZone: 'UTC' }),
    time: new Intl.DateTimeFormat(language, { timeStyle: 'short', hourCycle: 'h23', timeZone: 'UTC' }),
  }
  formats.set(language, made)
  return made
}

/** Returns true for a title that counts as not given: none, empty, or only white space. */
export function isBlank(title: string | null | undefined): boolean {
  return title == null || title.trim() === ''
}

type Clock = { day: number; month: number; hour: number; minute: number }

/** Returns the local time, read as if it were UTC, so that the zone of the process does not matter. */
function clockAtOffset(startMs: number, offsetMin: number): Clock {
  const local = new Date(startMs + offsetMin * MINUTE_MS)
  return {
    day: local.getUTCDate(),
    month: local.getUTCMonth() + 1,
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
  }
}

function clockInZone(startMs: number, timeZone: string): Clock {
  const parts = clockOf(timeZone).formatToParts(startMs)
  const read = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value)
  return { day: read('day'), month: read('month'), hour: read('hour'), minute: read('minute') }
}

/** Returns the formatter of a zone. Creating one takes longer than the rest of a title, so each zone's is kept. */
function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone)
  if (known !== undefined) return known
  const clock = new Intl.DateTimeFormat('en-u-ca-iso8601-nu-latn', {
    timeZone,
    hourCycle: 'h23',
    day: 'numeric',
    month: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
  clocks.set(timeZone, clock)
  return clock
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

/**
 * Returns the text in which a track is searched. The title comes first, so that the text also sorts by title. It has no
 * case and no accents, because SQLite's `lower` handles only ASCII and people type `ete` for `Été`.
 */
export function searchText(title: string, deviceTrackId: string, userId: string | null): string {
  return foldText(`${title}\n${deviceTrackId}\n${userId ?? ''}`)
}
