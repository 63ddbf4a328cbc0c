import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { eventsQuery } from '../../api/events.ts'

/** Returns how to name where an erasure takes place: the event of an id, or all of them for null. */
export function useErasurePlace(): (eventId: string | null) => string {
  const { t } = useTranslation()
  const events = useQuery(eventsQuery)
  return (eventId) => {
    if (eventId === null) return t('erasures.everywhere')
    if (events.data === undefined) return eventId
    return events.data.find(({ id }) => id === eventId)?.name ?? t('erasures.deletedEvent')
  }
}
