import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DeleteDialog } from '../../../ui/delete-dialog.tsx'
import { deleteEvent, eventQuery, type OperatorEvent } from '../../api/events.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { Failure } from '../../feedback/failure.tsx'
import { Loaded } from '../../feedback/loaded.tsx'
import { notify } from '../../feedback/notify.ts'
import { useDialogWords } from '../../forms/use-dialog-words.ts'
import { useFormat } from '../../i18n/format.ts'
import { paths, routeIds } from '../../navigation/paths.ts'
import { EventEdit } from './event-edit.tsx'

/** Name, days, limits and the end of an event. */
export function EventSettingsPage() {
  const { eventId } = useParams({ from: routeIds.event })
  const event = useQuery(eventQuery(eventId))
  return (
    <Loaded query={event}>
      {(found) => (
        <Stack maw={640} gap="lg">
          <EventEdit event={found} />
          <Deletion event={found} />
        </Stack>
      )}
    </Loaded>
  )
}

function Deletion({ event }: { event: OperatorEvent }) {
  const { t } = useTranslation()
  const format = useFormat()
  const client = useQueryClient()
  const navigate = useNavigate()
  const words = useDialogWords(t('event.delete'))
  const [opened, setOpened] = useState(false)
  const deleting = useMutation({
    mutationFn: () => deleteEvent(event.id),
    onSuccess: async () => {
      await navigate({ to: paths.events })
      client.removeQueries({ queryKey: queryKeys.event(event.id) })
      notify(t('event.deleted', { name: event.name }))
      await client.invalidateQueries({ queryKey: queryKeys.events })
    },
  })
  return (
    <Paper withBorder p="lg" bg="var(--panel-background)">
      <Title order={2} mb="xs">
        {t('event.delete')}
      </Title>
      <Group justify="space-between">
        <Text size="sm" c="dimmed" flex="1 1 280px">
          {t('event.deleteHelp')}
        </Text>
        <Button color="red" variant="outline" onClick={() => setOpened(true)}>
          {t('event.deleteOpen')}
        </Button>
      </Group>
      <DeleteDialog
        opened={opened}
        onClose={() => setOpened(false)}
        onConfirm={() => deleting.mutate()}
        busy={deleting.isPending}
        title={t('event.deleteThis', { name: event.name })}
        typedName={event.name}
        failure={deleting.isError && <Failure error={deleting.error} />}
        words={words}
      >
        {t('event.deleteCounts', {
          tracks: t('events.tracks', { count: event.tracks_count, figure: format.count(event.tracks_count) }),
          points: t('events.points', { count: event.points_count, figure: format.count(event.points_count) }),
        })}
      </DeleteDialog>
    </Paper>
  )
}
