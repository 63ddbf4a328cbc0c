import { foldText } from '#platform/basics/text.ts'

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
