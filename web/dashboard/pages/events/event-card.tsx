import { Badge, Group, Paper, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { OperatorEvent } from '../../api/events.ts'
import { Ago } from '../../components/ago.tsx'
import { EventDays } from '../../events/event-days.tsx'
import { useFormat } from '../../i18n/format.ts'
import { TimeZone } from '../../i18n/time-zone.ts'
import { AnchorLink } from '../../navigation/links.tsx'
import { paths } from '../../navigation/paths.ts'

/** An event in the list, with its size and current activity. */
export function EventCard({ event }: { event: OperatorEvent }) {
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
