import { Group, NumberInput, Paper, Stack, Text, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useRights } from '../access/rights.tsx'
import { ApiError, hasCode } from '../api/api-error.ts'
import { aboutKey } from '../api/query-client.ts'
import { ConfirmDialog } from '../components/dialogs.tsx'
import { Loaded, notify } from '../components/feedback.tsx'
import { DeletePanel, LimitInput, limitOf, SubmitForm, UnsavedChanges } from '../components/forms.tsx'
import { paths, routeIds } from '../components/paths.ts'
import { useNotifyDeletion, useUndoHint } from '../components/undo-deletion.ts'
import { operatorGetEventOptions, operatorListEventsQueryKey } from '../generated/@tanstack/react-query.gen.ts'
import { operatorDeleteEvent, operatorUpdateEvent } from '../generated/sdk.gen.ts'
import type { OperatorEvent } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import {
  EventFieldInputs,
  type EventFields,
  eventOfFields,
  eventOfWatchFields,
  eventRules,
  WatchFieldInputs,
  type WatchFields,
  watchFieldsOf,
} from './event-fields.tsx'
import { RehearsalPanel } from './rehearsal.tsx'

/** Edits and deletes an event. */
export function EventSettingsPage() {
  const { eventId } = useParams({ from: routeIds.event })
  const event = useQuery(operatorGetEventOptions({ path: { id: eventId } }))
  const { canGovern } = useRights()
  return (
    <Loaded query={event}>
      {(found) => (
        <Stack maw={640} gap="lg">
          <EventEdit event={found} />
          {found.rehearsal_of === null && <RehearsalPanel event={found} />}
          {canGovern && found.rehearsal_of === null && <EventDelete event={found} />}
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
  const notifyDeletion = useNotifyDeletion('event')
  const undoHint = useUndoHint()
  const { id, name, tracks_count: tracks, points_count: points } = event
  return (
    <DeletePanel
      name={name}
      title={t('event.delete')}
      help={`${t('event.deleteHelp')} ${undoHint}`}
      action={() => operatorDeleteEvent({ path: { id } })}
      onDone={async () => {
        await navigate({ to: paths.events })
        client.removeQueries({ queryKey: aboutKey(id) })
        const words = { deleted: t('event.deleted', { name }), restored: t('bin.restored', { name }) }
        await notifyDeletion({ ids: [id], ...words })
        await client.invalidateQueries({ queryKey: operatorListEventsQueryKey() })
      }}
    >
      {t('event.deleteCounts', {
        tracks: t('events.tracks', { count: tracks, figure: format.count(tracks) }),
        points: t('events.points', { count: points, figure: format.count(points) }),
      })}
    </DeletePanel>
  )
}

type Values = EventFields &
  WatchFields & { maxTracks: number | string; maxPoints: number | string; retentionDays: number | string }

type Submitted = { values: Values; acceptedErasures?: number }

/** Edits an event: its details, its live view and its limits. */
function EventEdit({ event }: { event: OperatorEvent }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { canGovern, isOwner } = useRights()
  const client = useQueryClient()
  const form = useForm<Values>({
    mode: 'uncontrolled',
    initialValues: valuesOf(event),
    validate: eventRules(t),
  })
  const changing = useMutation({
    mutationFn: ({ values, acceptedErasures }: Submitted) =>
      operatorUpdateEvent({
        path: { id: event.id },
        body: {
          ...eventOfFields(values),
          ...eventOfWatchFields(values),
          ...(canGovern && { ...limitsOf(values), accepted_erasures: acceptedErasures }),
        },
      }),
    onSuccess: async (changed) => {
      client.setQueryData(operatorGetEventOptions({ path: { id: event.id } }).queryKey, changed)
      form.resetDirty()
      notify(t('action.saved'))
      await client.invalidateQueries({ queryKey: operatorListEventsQueryKey() })
    },
  })
  return (
    <Paper withBorder p="lg" bg="var(--panel-background)">
      <SubmitForm
        onSubmit={form.onSubmit((values) => changing.mutate({ values }))}
        submitting={changing}
        describe={(error) => hasCode(error, 'ERASES_TRACKS') && ''}
        submitLabel={t('action.save')}
      >
        <Title order={2}>{t('event.details')}</Title>
        <EventFieldInputs form={form} serverZone={event.time_zone === null ? event.effective_time_zone : undefined} />
        <Title order={2}>{t('event.watching')}</Title>
        <WatchFieldInputs form={form} />
        <Title order={2}>{t('event.limits')}</Title>
        {!canGovern && (
          <Text size="sm" c="dimmed">
            {t('access.limitsFixed')}
          </Text>
        )}
        <Group grow align="flex-start">
          <LimitInput
            form={form}
            name="maxTracks"
            label={t('event.maxTracks')}
            current={format.count(event.tracks_count)}
            isFixed={!canGovern}
          />
          <LimitInput
            form={form}
            name="maxPoints"
            label={t('event.maxPoints')}
            current={format.count(event.points_count)}
            isFixed={!canGovern}
          />
        </Group>
        <Title order={2}>{t('event.retention')}</Title>
        <NumberInput
          label={t('event.retentionDays')}
          description={`${t('event.retentionHelp')}${isOwner ? '' : ` ${t('event.retentionOwners')}`}`}
          min={1}
          max={36_500}
          allowDecimal={false}
          allowNegative={false}
          hideControls
          disabled={!canGovern}
          key={form.key('retentionDays')}
          {...form.getInputProps('retentionDays')}
        />
      </SubmitForm>
      <UnsavedChanges isChanged={() => form.isDirty()} />
      <EraseTracksDialog
        error={changing.error}
        onClose={changing.reset}
        onAccept={(acceptedErasures) => changing.mutateAsync({ values: changing.variables!.values, acceptedErasures })}
      />
    </Paper>
  )
}

type EraseTracksDialogProps = {
  error: unknown
  onClose(): void
  onAccept(count: number): Promise<OperatorEvent>
}

/** Asks before a shorter retention erases tracks, with their number as the server counts them. */
function EraseTracksDialog({ error, onClose, onAccept }: EraseTracksDialogProps) {
  const { t } = useTranslation()
  const format = useFormat()
  if (!(error instanceof ApiError && hasCode(error, 'ERASES_TRACKS'))) return null
  const count = error.problem?.tracks_count ?? 0
  const tracks = t('events.tracks', { count, figure: format.count(count) })
  return (
    <ConfirmDialog
      onClose={onClose}
      action={() => onAccept(count)}
      title={t('event.erasesTracks', { tracks })}
      confirmLabel={t('event.erasesTracksSubmit')}
    >
      {t('event.erasesTracksHelp', { tracks })}
    </ConfirmDialog>
  )
}

function limitsOf({ maxTracks, maxPoints, retentionDays }: Values) {
  return {
    max_tracks: limitOf(maxTracks),
    max_points: limitOf(maxPoints),
    retention_days: limitOf(retentionDays),
  }
}

function valuesOf(event: OperatorEvent): Values {
  return {
    name: event.name,
    startsOn: event.starts_on ?? '',
    endsOn: event.ends_on ?? '',
    note: event.note ?? '',
    timeZone: event.time_zone,
    ...watchFieldsOf(event),
    maxTracks: event.max_tracks ?? '',
    maxPoints: event.max_points ?? '',
    retentionDays: event.retention_days ?? '',
  }
}
