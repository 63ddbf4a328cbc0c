import { startOfDayMs } from '#platform/time/date-time.ts'

/** The first and the last day of an event, in the form `2026-05-03`. */
type EventDates = { starts_on?: unknown; ends_on?: unknown }

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/

const DAY_MS = 86_400_000

/**
 * Returns the time at which the last day of an event is over everywhere: in the westernmost zone, which is half a day
 * behind UTC. Undefined without a last day.
 */
export function eventEndMs(lastDay: string | null): number | undefined {
  const [, year, month, day] = DATE.exec(lastDay ?? '') ?? []
  const startMs = year === undefined ? undefined : startOfDayMs(Number(year), Number(month), Number(day))
  return startMs === undefined ? undefined : startMs + 1.5 * DAY_MS
}

/**
 * Refuses a date that no calendar has, such as `2026-02-30`. Text in another form is for the schema's pattern to
 * refuse.
 */
export function calendarDateProblem(text: string): string | undefined {
  return DATE.test(text) && !isCalendarDate(text) ? 'must be a date of the calendar' : undefined
}

/** Refuses a last day before the first. */
export function eventDatesProblems({ starts_on: first, ends_on: last }: EventDates) {
  const isWrong = isCalendarDate(first) && isCalendarDate(last) && last < first
  return isWrong ? [{ path: 'ends_on', message: 'must not be before starts_on' }] : []
}

function isCalendarDate(value: unknown): value is string {
  if (typeof value !== 'string') return false
  const [, year, month, day] = DATE.exec(value) ?? []
  return year !== undefined && startOfDayMs(Number(year), Number(month), Number(day)) !== undefined
}
