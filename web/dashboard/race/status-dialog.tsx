import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useContext, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../components/dialogs.tsx'
import type { Runner, RunnerUpdate } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { knownZone, momentOf, TimeZone, wallTimeOf } from '../i18n/time-zone.ts'

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
