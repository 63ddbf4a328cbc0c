import { Badge, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CalendarDays, Plus, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { EmptyState, PageTitle } from '../../ui/titles.tsx'
import { useRights } from '../access/rights.tsx'
import { Ago } from '../components/ago.tsx'
import { Loaded } from '../components/feedback.tsx'
import { AnchorLink, ButtonLink } from '../components/links.tsx'
import { paths } from '../components/paths.ts'
import { operatorListEventsOptions } from '../generated/@tanstack/react-query.gen.ts'
import type { OperatorEvent } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { TimeZone } from '../i18n/time-zone.ts'
import { EventDays } from './event-layout.tsx'

/** All events, first the events with tracks in progress. */
export function EventsPage() {
  const { t } = useTranslation()
  const { canEdit, canGovern } = useRights()
  const events = useQuery({ ...operatorListEventsOptions(), select: ({ events }) => events, refetchInterval: 30_000 })
  return (
    <>
      <Group justify="space-between">
        <PageTitle title={t('events.title')} />
        <Group gap="xs">
          {canEdit && (
            <ButtonLink to={paths.bin} variant="default" leftSection={<Trash2 size={16} aria-hidden />}>
              {t('bin.title')}
            </ButtonLink>
          )}
          {canGovern && <NewEventButton />}
        </Group>
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

/** An event in the list, with its size and current activity. */
function EventCard({ event }: { event: OperatorEvent }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Paper component="li" withBorder p="md" bg="var(--panel-background)">
      <Stack gap="xs" h="100%" justify="space-between">
        <div>
          <Group justify="space-between" wrap="nowrap" align="flex-start">
            <AnchorLink to={paths.event} params={{ eventId: event.id }} fw={600} style={{ overflowWrap: 'anywhere' }}>
              {event.name}
            </AnchorLink>
            {event.running_tracks_count > 0 && (
              <Badge variant="filled" color="teal.9" style={{ flexShrink: 0 }}>
                {t('events.running', { count: event.running_tracks_count })}
              </Badge>
            )}
          </Group>
          <Text size="sm" c="dimmed">
            <EventDays event={event} />
          </Text>
          {event.note !== null && event.note !== '' && (
            <Text size="sm" lineClamp={2} mt={4}>
              {event.note}
            </Text>
          )}
        </div>
        <Text size="sm" className="figures" component="div">
          {t('events.tracks', { count: event.tracks_count, figure: format.count(event.tracks_count) })}
          {' · '}
          {t('events.points', { count: event.points_count, figure: format.count(event.points_count) })}
          {event.last_point_at !== null && (
            <Text span c="dimmed" size="sm">
              {' · '}
              <TimeZone value={event.effective_time_zone}>
                {t('events.lastPoint')} <Ago time={event.last_point_at} />
              </TimeZone>
            </Text>
          )}
        </Text>
      </Stack>
    </Paper>
  )
}
