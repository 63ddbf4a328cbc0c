import { Group, NumberInput, Paper, Text, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useRights } from '../../access/rights.tsx'
import { ApiError, hasCode } from '../../api/api-error.ts'
import { changeEvent, eventQuery, type OperatorEvent } from '../../api/events.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { EventFieldInputs, type EventFields, eventOfFields, eventRules } from '../../events/event-fields.tsx'
import { eventOfWatchFields, WatchFieldInputs, type WatchFields, watchFieldsOf } from '../../events/watch-fields.tsx'
import { notify } from '../../feedback/notify.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { LimitInput, limitOf } from '../../forms/limit-input.tsx'
import { SubmitForm } from '../../forms/submit-form.tsx'
import { useFormat } from '../../i18n/format.ts'

type Values = EventFields &
  WatchFields & { maxTracks: number | string; maxPoints: number | string; retentionDays: number | string }

type Submitted = { values: Values; acceptedErasures?: number }

/** Edits an event: its details, its live view and its limits. */
export function EventEdit({ event }: { event: OperatorEvent }) {
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
      changeEvent(event.id, {
        ...eventOfFields(values),
        ...eventOfWatchFields(values),
        ...(canGovern && {
          max_tracks: limitOf(values.maxTracks),
          max_points: limitOf(values.maxPoints),
          retention_days: limitOf(values.retentionDays),
          accepted_erasures: acceptedErasures,
        }),
      }),
    onSuccess: async (changed) => {
      client.setQueryData(eventQuery(event.id).queryKey, changed)
      form.resetDirty()
      notify(t('action.saved'))
      await client.invalidateQueries({ queryKey: queryKeys.events })
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
      <EraseTracksDialog
        changing={changing}
        onAccept={(acceptedErasures) => changing.mutate({ values: changing.variables!.values, acceptedErasures })}
      />
    </Paper>
  )
}

type EraseTracksDialogProps = {
  changing: { isPending: boolean; error: unknown; reset(): void }
  onAccept(count: number): void
}

/** Asks before a shorter retention erases tracks, with their number as the server counts them. */
function EraseTracksDialog({ changing, onAccept }: EraseTracksDialogProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { error, isPending, reset } = changing
  if (!(error instanceof ApiError && hasCode(error, 'ERASES_TRACKS'))) return null
  const count = error.problem?.tracks_count ?? 0
  const tracks = t('events.tracks', { count, figure: format.count(count) })
  return (
    <ConfirmDialog
      opened
      onClose={reset}
      onConfirm={() => onAccept(count)}
      confirming={{ isPending, error: null }}
      title={t('event.erasesTracks', { tracks })}
      confirmLabel={t('event.erasesTracksSubmit')}
    >
      {t('event.erasesTracksHelp', { tracks })}
    </ConfirmDialog>
  )
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
