import { Group, SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CalendarDays, Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { useRights } from '../../access/rights.tsx'
import { eventsQuery } from '../../api/events.ts'
import { Loaded } from '../../feedback/loaded.tsx'
import { ButtonLink } from '../../navigation/links.tsx'
import { paths } from '../../navigation/paths.ts'
import { EventCard } from './event-card.tsx'

/** All events, those with tracks in progress first. */
export function EventsPage() {
  const { t } = useTranslation()
  const { canGovern } = useRights()
  const events = useQuery({ ...eventsQuery, refetchInterval: 30_000 })
  return (
    <>
      <Group justify="space-between">
        <PageTitle title={t('events.title')} />
        {canGovern && <NewEventButton />}
      </Group>
      <Loaded query={events}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState icon={CalendarDays} title={t('events.empty')} action={canGovern && <NewEventButton />}>
              {t(canGovern ? 'events.emptyHelp' : 'access.nothingYet')}
            </EmptyState>
          ) : (
            <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
              {list
                .toSorted((a, b) => b.running_tracks_count - a.running_tracks_count)
                .map((event) => (
                  <EventCard key={event.id} event={event} />
                ))}
            </SimpleGrid>
          )
        }
      </Loaded>
    </>
  )
}

function NewEventButton() {
  const { t } = useTranslation()
  return (
    <ButtonLink to={paths.newEvent} leftSection={<Plus size={16} aria-hidden />}>
      {t('events.new')}
    </ButtonLink>
  )
}
