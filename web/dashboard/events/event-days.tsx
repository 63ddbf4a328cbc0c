import { useTranslation } from 'react-i18next'
import type { OperatorEvent } from '../api/events.ts'
import { useFormat } from '../i18n/format.ts'

/** The days of an event. Open ends are spelled out. */
export function EventDays({ event }: { event: Pick<OperatorEvent, 'starts_on' | 'ends_on'> }) {
  const { t } = useTranslation()
  // A calendar date has no time zone: it is the same day in all of them.
  const format = useFormat('UTC')
  const day = (date: string) => format.date(`${date}T12:00:00Z`)
  const { starts_on: first, ends_on: last } = event
  if (first === null && last === null) return t('events.noDays')
  if (first === null) return t('events.until', { last: day(last!) })
  if (last === null) return t('events.from', { first: day(first) })
  return first === last ? day(first) : `${day(first)} – ${day(last)}`
}
