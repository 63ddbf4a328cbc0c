import { type FieldError, invalidFields } from '#platform/errors.ts'
import { startOfDayMs } from '#platform/time/date-time.ts'

type EventDates = { starts_on?: string | null; ends_on?: string | null }

/** Refuses dates that no calendar has, and a last day before the first. @throws badRequest */
export function checkEventDates({ starts_on: first, ends_on: last }: EventDates): void {
  const errors: FieldError[] = []
  if (!isDate(first)) errors.push({ path: 'starts_on', message: 'must be a date of the calendar' })
  if (!isDate(last)) errors.push({ path: 'ends_on', message: 'must be a date of the calendar' })
  if (errors.length === 0 && first && last && last < first) {
    errors.push({ path: 'ends_on', message: 'must not be before starts_on' })
  }
  if (errors.length > 0) throw invalidFields(errors)
}

/** Whether a date, already in the form `2026-05-03`, exists; none is fine. */
function isDate(text: string | null | undefined): boolean {
  if (text === null || text === undefined) return true
  const [year, month, day] = text.split('-').map(Number)
  return startOfDayMs(year, month, day) !== undefined
}
