import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AddressWarning, Command, CopyField, OpenButton } from '../components/copy-fields.tsx'
import { ResourceForm, textOrNull } from '../components/forms.tsx'
import { QrPanel } from '../components/qr-panel.tsx'
import { operatorGetEventOptions, operatorListSharesQueryKey } from '../generated/@tanstack/react-query.gen.ts'
import { operatorCreateShare } from '../generated/sdk.gen.ts'
import type { Share, ShareCreate as ShareCreateBody } from '../generated/types.gen.ts'
import type { Key } from '../i18n/en.ts'
import { useFormat } from '../i18n/format.ts'
import { embedCode, qrFileName, shareName } from './share-links.ts'

/** The lifetimes that can be chosen; without hours, the server's. */
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
  const [created, setCreated] = useState<Share>()
  if (created !== undefined) return <Created eventId={eventId} share={created} onDone={onDone} />
  return (
    <ResourceForm
      form={form}
      save={({ label, hours }) =>
        operatorCreateShare({
          path: { id: eventId },
          body: { track_id: trackId ?? null, label: textOrNull(label), ...lifetimeOf(hours) },
        })
      }
      onSaved={(share) => {
        setCreated(share)
        return client.invalidateQueries({ queryKey: operatorListSharesQueryKey({ path: { id: eventId } }) })
      }}
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
    </ResourceForm>
  )
}

/** Returns the end of a share for a chosen number of hours. Without a choice, the server sets it. */
function lifetimeOf(hours: string): ShareCreateBody {
  if (hours === '') return {}
  if (hours === '0') return { never_expires: true }
  return { expires_at: new Date(Date.now() + Number(hours) * 3_600_000).toISOString() }
}

function Created({ eventId, share, onDone }: { eventId: string; share: Share; onDone(): void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const heading = useRef<HTMLParagraphElement>(null)
  // The form that had the focus is gone.
  useEffect(() => heading.current?.focus(), [])
  return (
    <Stack>
      <Text role="status" ref={heading} tabIndex={-1}>
        {t('shares.created')}
      </Text>
      <Text size="sm" c="dimmed">
        {share.expires_at === null
          ? t('shares.neverEnds')
          : t('shares.endsOn', { time: format.dateTime(share.expires_at) })}
      </Text>
      {share.url !== null && (
        <ShareAddress eventId={eventId} url={share.url} name={shareName(share, format.trackName)} />
      )}
      <Group justify="flex-end">
        <Button onClick={onDone}>{t('action.done')}</Button>
      </Group>
    </Stack>
  )
}

type ShareAddressProps = { eventId: string; url: string; name: string | undefined }

/** The ways to a share: its link, its QR code and the code that shows it on another site, named after the event. */
export function ShareAddress({ eventId, url, name: ownName }: ShareAddressProps) {
  const { t } = useTranslation()
  const event = useQuery(operatorGetEventOptions({ path: { id: eventId } }))
  const name = ownName ?? event.data?.name ?? ''
  return (
    <Stack>
      <AddressWarning address={url} users="phones" />
      <CopyField label={t('shares.link')} value={url} actions={<OpenButton href={url} />} />
      <QrPanel address={url} label={t('shares.qr')} help={t('shares.qrHelp')} fileName={qrFileName(name)} />
      <Command label={t('sharing.embed')} command={embedCode(url, name)} />
    </Stack>
  )
}
