import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { queryKeys } from '../api/query-keys.ts'
import { createShare, type Share, type ShareCreate as ShareCreateBody, shareName } from '../api/shares.ts'
import { SubmitForm } from '../forms/submit-form.tsx'
import type { Key } from '../i18n/en.ts'
import { useFormat } from '../i18n/format.ts'
import { ShareAddress } from './share-address.tsx'

/** The lifetimes that can be chosen; without hours, that of the server. */
const LIFETIMES: { hours: number | ''; key: Key }[] = [
  { hours: '', key: 'shares.forDefault' },
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
  const form = useForm({ mode: 'uncontrolled', initialValues: { label: '', hours: '' } })
  const creating = useMutation({
    mutationFn: ({ label, hours }: { label: string; hours: string }) =>
      createShare(eventId, {
        track_id: trackId ?? null,
        label: label.trim() === '' ? null : label.trim(),
        ...lifetimeOf(hours),
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

/** Returns the end of a share for a chosen number of hours. Without a choice, the server sets it. */
function lifetimeOf(hours: string): Pick<ShareCreateBody, 'expires_at' | 'never_expires'> {
  if (hours === '') return {}
  if (hours === '0') return { never_expires: true }
  return { expires_at: new Date(Date.now() + Number(hours) * 3_600_000).toISOString() }
}

function Created({ share, onDone }: { share: Share; onDone(): void }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Stack>
      <Text role="status">{t('shares.created')}</Text>
      <Text size="sm" c="dimmed">
        {share.expires_at === null
          ? t('shares.neverEnds')
          : t('shares.endsOn', { time: format.dateTime(share.expires_at) })}
      </Text>
      {share.url !== null && <ShareAddress url={share.url} name={shareName(share) ?? t('shares.unlabelled')} />}
      <Group justify="flex-end">
        <Button onClick={onDone}>{t('action.done')}</Button>
      </Group>
    </Stack>
  )
}
