import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { queryKeys } from '../api/query-keys.ts'
import { createShare, type Share, shareName } from '../api/shares.ts'
import { SubmitForm } from '../forms/submit-form.tsx'
import type { Key } from '../i18n/en.ts'
import { ShareAddress } from './share-address.tsx'

const LIFETIMES: { hours: number; key: Key }[] = [
  { hours: 24, key: 'shares.forDay' },
  { hours: 7 * 24, key: 'shares.forWeek' },
  { hours: 30 * 24, key: 'shares.forMonth' },
  { hours: 0, key: 'shares.forEver' },
]

type ShareCreateProps = { eventId: string; trackId?: string; onDone(): void }

/** Creates a share link for one track or for the whole event, and then shows it. */
export function ShareCreate({ eventId, trackId, onDone }: ShareCreateProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const form = useForm({ mode: 'uncontrolled', initialValues: { label: '', hours: '168' } })
  const creating = useMutation({
    mutationFn: ({ label, hours }: { label: string; hours: string }) =>
      createShare(eventId, {
        track_id: trackId ?? null,
        label: label.trim() === '' ? null : label.trim(),
        expires_at: hours === '0' ? null : new Date(Date.now() + Number(hours) * 3_600_000).toISOString(),
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.shares(eventId) }),
  })
  if (creating.data !== undefined) return <Created share={creating.data} onDone={onDone} />
  return (
    <SubmitForm
      onSubmit={form.onSubmit((values) => creating.mutate(values))}
      submitting={creating}
      submitLabel={t('shares.createSubmit')}
      onCancel={onDone}
    >
      <Text size="sm">{trackId === undefined ? t('shares.createEventHelp') : t('shares.createTrackHelp')}</Text>
      <TextInput
        label={t('shares.label')}
        description={t('shares.labelHelp')}
        maxLength={200}
        autoComplete="off"
        data-autofocus
        key={form.key('label')}
        {...form.getInputProps('label')}
      />
      <NativeSelect
        label={t('shares.lifetime')}
        data={LIFETIMES.map(({ hours, key }) => ({ value: String(hours), label: t(key) }))}
        key={form.key('hours')}
        {...form.getInputProps('hours')}
      />
    </SubmitForm>
  )
}

function Created({ share, onDone }: { share: Share; onDone(): void }) {
  const { t } = useTranslation()
  return (
    <Stack>
      <Text role="status">{t('shares.created')}</Text>
      {share.url !== null && <ShareAddress url={share.url} name={shareName(share) ?? t('shares.unlabelled')} />}
      <Group justify="flex-end">
        <Button onClick={onDone}>{t('action.done')}</Button>
      </Group>
    </Stack>
  )
}
