import { startOfDayMs } from '#platform/time/date-time.ts'

/** The first and the last day of an event, in the form `2026-05-03`. */
type EventDates = { starts_on?: unknown; ends_on?: unknown }

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/

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
