import { Stack } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useRights } from '../../access/rights.tsx'
import { deleteEvent, eventQuery, type OperatorEvent } from '../../api/events.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { Loaded } from '../../feedback/loaded.tsx'
import { notify } from '../../feedback/notify.ts'
import { DeletePanel } from '../../forms/delete-panel.tsx'
import { useFormat } from '../../i18n/format.ts'
import { paths, routeIds } from '../../navigation/paths.ts'
import { EventEdit } from './event-edit.tsx'

/** Edits and deletes an event. */
export function EventSettingsPage() {
  const { eventId } = useParams({ from: routeIds.event })
  const event = useQuery(eventQuery(eventId))
  const { canGovern } = useRights()
  return (
    <Loaded query={event}>
      {(found) => (
        <Stack maw={640} gap="lg">
          <EventEdit event={found} />
          {canGovern && <EventDelete event={found} />}
        </Stack>
      )}
    </Loaded>
  )
}

function EventDelete({ event }: { event: OperatorEvent }) {
  const { t } = useTranslation()
  const format = useFormat()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { id, name, tracks_count: tracks, points_count: points } = event
  const deleting = useMutation({
    mutationFn: () => deleteEvent(id),
    onSuccess: async () => {
      await navigate({ to: paths.events })
      client.removeQueries({ queryKey: queryKeys.event(id) })
      notify(t('event.deleted', { name }))
      await client.invalidateQueries({ queryKey: queryKeys.events })
    },
  })
  return (
    <DeletePanel
      name={name}
      title={t('event.delete')}
      help={t('event.deleteHelp')}
      onDelete={() => deleting.mutate()}
      deleting={deleting}
    >
      {t('event.deleteCounts', {
        tracks: t('events.tracks', { count: tracks, figure: format.count(tracks) }),
        points: t('events.points', { count: points, figure: format.count(points) }),
      })}
    </DeletePanel>
  )
}
