import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { eventQuery } from '../api/events.ts'
import { LifetimeSelect } from '../forms/lifetime-select.tsx'
import { useFormat } from '../i18n/format.ts'

type PersonalLifetimeProps = { eventId: string; value: string; onChange(value: string): void }

/** The end of tokens of people: with the event unless another is chosen. */
export function PersonalLifetime({ eventId, value, onChange }: PersonalLifetimeProps) {
  const { t } = useTranslation()
  // A calendar date has no time zone: it is the same day in all of them.
  const format = useFormat('UTC')
  const { data: event } = useQuery(eventQuery(eventId))
  const lastDay = event?.ends_on ?? null
  return (
    <LifetimeSelect
      value={value}
      onChange={onChange}
      {...(event !== undefined && lastDay === null && { description: t('lifetime.noLastDay') })}
      {...(lastDay !== null && { defaultEnd: t('lifetime.event', { last: format.date(`${lastDay}T12:00:00Z`) }) })}
    />
  )
}
