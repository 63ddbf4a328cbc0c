import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useContext, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { raceAnswers } from '../api/query-client.ts'
import { Dialog } from '../components/dialogs.tsx'
import { fieldErrors } from '../components/error-message.ts'
import { notify } from '../components/feedback.tsx'
import { ResourceForm, textOrNull } from '../components/forms.tsx'
import { operatorCreateRunner, operatorUpdateRunnerStatus } from '../generated/sdk.gen.ts'
import type { Participant, Runner, RunnerUpdate } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { knownZone, momentOf, TimeZone, wallTimeOf } from '../i18n/time-zone.ts'

type RunnerFormProps = {
  eventId: string
  /** The runner to edit; undefined to add one. */
  runner?: Participant
  onClose(): void
}

type RunnerFields = { bib: string; name: string; category: string; phone: string; userId: string }

/** Adds a runner to the start list, or edits one. Nothing else of the list changes. */
export function RunnerForm({ eventId, runner, onClose }: RunnerFormProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const required = (text: string) => (text.trim() === '' ? t('race.fieldMissing') : null)
  const form = useForm<RunnerFields>({
    mode: 'uncontrolled',
    initialValues: {
      bib: runner?.bib ?? '',
      name: runner?.name ?? '',
      category: runner?.category ?? '',
      phone: runner?.phone ?? '',
      userId: '',
    },
    validate: { bib: required, name: required },
  })
  const save = ({ bib, name, category, phone, userId }: RunnerFields) => {
    const path = { id: eventId }
    const fields = { bib, name, category: textOrNull(category), phone: textOrNull(phone) }
    if (runner !== undefined) return operatorUpdateRunnerStatus({ path, body: { user_id: runner.user_id, ...fields } })
    return operatorCreateRunner({ path, body: { ...fields, ...(userId.trim() !== '' && { user_id: userId }) } })
  }
  const onSaved = async ({ name }: { name: string }) => {
    notify(t('race.runnerSaved', { name }))
    onClose()
    await client.invalidateQueries(raceAnswers(eventId))
  }
  const onFailed = (error: unknown) => {
    const wrong = fieldErrors(error)
    if ('bib' in wrong) form.setFieldError('bib', t('race.bibTaken'))
    if ('user_id' in wrong) form.setFieldError('userId', t('race.userTaken'))
  }
  const isShown = (error: unknown) => Object.keys(fieldErrors(error)).some((path) => ['bib', 'user_id'].includes(path))
  const input = (name: keyof RunnerFields) => ({ key: form.key(name), ...form.getInputProps(name) })
  return (
    <Dialog
      opened
      onClose={onClose}
      title={
        runner === undefined ? t('race.addRunner') : t('race.editThis', { name: `${runner.bib} · ${runner.name}` })
      }
    >
      <ResourceForm
        form={form}
        save={save}
        onSaved={onSaved}
        onFailed={onFailed}
        describe={(error) => isShown(error) && ''}
        submitLabel={t(runner === undefined ? 'race.addRunnerNow' : 'action.save')}
        onCancel={onClose}
      >
        <TextInput label={t('race.bib')} required maxLength={20} autoComplete="off" data-autofocus {...input('bib')} />
        <TextInput label={t('field.name')} required maxLength={200} autoComplete="off" {...input('name')} />
        <TextInput label={t('race.category')} maxLength={100} autoComplete="off" {...input('category')} />
        <TextInput
          type="tel"
          label={t('race.phone')}
          description={t('race.phoneHelp')}
          maxLength={40}
          autoComplete="off"
          {...input('phone')}
        />
        {runner === undefined ? (
          <TextInput
            label={t('tracks.user')}
            description={t('race.userHelp')}
            maxLength={255}
            autoComplete="off"
            {...input('userId')}
          />
        ) : (
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {t('tracks.user')}
            {t('audit.colon')}
            {runner.user_id}
          </Text>
        )}
      </ResourceForm>
    </Dialog>
  )
}

type StatusDialogProps = {
  runner: Runner
  status: NonNullable<Runner['status']>
  onSave(change: RunnerUpdate): void
  onClose(): void
}

/** Asks when and where a runner gave up, both of which may be unknown. */
export function StatusDialog({ runner, status, onSave, onClose }: StatusDialogProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const zone = knownZone(useContext(TimeZone))
  const { user_id, bib, name, status_at, status_place } = runner
  const [time, setTime] = useState(status_at === null ? '' : wallTimeOf(Date.parse(status_at), zone))
  const [place, setPlace] = useState(status_place ?? '')
  const atMs = momentOf(time, zone)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const at = Number.isNaN(atMs) ? null : new Date(atMs).toISOString()
    onSave({ user_id, status, status_at: at, status_place: place.trim() === '' ? null : place })
    onClose()
  }
  const title = t('race.statusDetails', { status: t(`race.status.${status}`), name: `${bib} · ${name}` })
  return (
    <Dialog opened onClose={onClose} title={title}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text c="dimmed" size="sm">
            {t('race.statusUnknown')}
          </Text>
          <TextInput
            type="datetime-local"
            step={1}
            label={t('race.statusAt')}
            description={t('event.timesIn', { zone: zone ?? format.zoneName(Date.now()) })}
            value={time}
            onChange={({ currentTarget }) => setTime(currentTarget.value)}
          />
          <TextInput
            label={t('race.statusPlace')}
            maxLength={100}
            value={place}
            onChange={({ currentTarget }) => setPlace(currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('action.cancel')}
            </Button>
            <Button type="submit">{t('action.save')}</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
