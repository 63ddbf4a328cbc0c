import { NativeSelect, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ResourceForm } from '../components/forms.tsx'
import { operatorGetEventOptions } from '../generated/@tanstack/react-query.gen.ts'
import type { Key } from '../i18n/en.ts'
import { useFormat } from '../i18n/format.ts'

/** The lifetimes that can be chosen for a token or a key. */
const LIFETIMES: readonly { value: string; key: Key }[] = [
  { value: '', key: 'lifetime.none' },
  { value: String(86_400), key: 'overlap.day' },
  { value: String(7 * 86_400), key: 'overlap.week' },
  { value: String(30 * 86_400), key: 'overlap.month' },
  { value: String(365 * 86_400), key: 'lifetime.year' },
]

/** Stands for no end where the server would set one. */
const NEVER = 'never'

type LifetimeSelectProps = {
  value: string
  onChange(value: string): void
  /** The end that the server sets unless another is chosen, in words. Without it, there is none. */
  defaultEnd?: string
  description?: string
}

/** The end of a new token or key: the default, never, or after a while. */
export function LifetimeSelect({ value, onChange, defaultEnd, description }: LifetimeSelectProps) {
  const { t } = useTranslation()
  return (
    <NativeSelect
      label={t('field.expires')}
      description={description}
      data={[
        ...LIFETIMES.map((lifetime) => ({
          value: lifetime.value,
          label: lifetime.value === '' ? (defaultEnd ?? t(lifetime.key)) : t(lifetime.key),
        })),
        ...(defaultEnd === undefined ? [] : [{ value: NEVER, label: t('lifetime.none') }]),
      ]}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

/** Returns a chosen lifetime in seconds; undefined without an end. */
function lifetimeSec(value: string): number | undefined {
  return value === '' || value === NEVER ? undefined : Number(value)
}

/** The end of new tokens: after a while, never, or without either as the server sets it. */
type TokenLifetime = { keep_sec?: number; never_expires?: boolean }

/** Returns a chosen lifetime; without a choice nothing, and the server sets it. */
export function tokenLifetime(value: string): TokenLifetime {
  if (value === NEVER) return { never_expires: true }
  const keepSec = lifetimeSec(value)
  return keepSec === undefined ? {} : { keep_sec: keepSec }
}

type PersonalLifetimeProps = { eventId: string; value: string; onChange(value: string): void }

/** The end of tokens of people: with the event unless another is chosen. */
export function PersonalLifetime({ eventId, value, onChange }: PersonalLifetimeProps) {
  const { t } = useTranslation()
  // A calendar date has no time zone: it is the same day in all of them.
  const format = useFormat('UTC')
  const { data: event } = useQuery(operatorGetEventOptions({ path: { id: eventId } }))
  const lastDay = event?.ends_on ?? null
  return (
    <LifetimeSelect
      value={value}
      onChange={onChange}
      {...(event !== undefined && lastDay === null && { description: t('lifetime.noLastDay') })}
      {...(lastDay !== null && { defaultEnd: t('lifetime.event', { last: format.date(`${lastDay}T12:00:00Z`) }) })}
    />
  )
}

/** The times that replaced tokens and keys may stay valid. */
const OVERLAPS: readonly { sec: number; key: Key }[] = [
  { sec: 0, key: 'overlap.none' },
  { sec: 3600, key: 'overlap.hour' },
  { sec: 86_400, key: 'overlap.day' },
  { sec: 7 * 86_400, key: 'overlap.week' },
  { sec: 30 * 86_400, key: 'overlap.month' },
]
const DEFAULT_OVERLAP_SEC = 86_400

type RotateFormProps<Rotated> = {
  texts: 'tokens' | 'keys' | 'webhooks'
  rotate(overlapSec: number): Promise<Rotated>
  onRotated(rotated: Rotated): unknown
  onCancel(): void
}

/** Replaces a token, a key or a secret. The old one may stay valid for a while, so that its users can change over. */
export function RotateForm<Rotated>({ texts, rotate, onRotated, onCancel }: RotateFormProps<Rotated>) {
  const { t } = useTranslation()
  const form = useForm({ mode: 'uncontrolled', initialValues: { overlapSec: String(DEFAULT_OVERLAP_SEC) } })
  return (
    <ResourceForm
      form={form}
      save={({ overlapSec }) => rotate(Number(overlapSec))}
      onSaved={onRotated}
      submitLabel={t(`${texts}.rotateSubmit`)}
      onCancel={onCancel}
    >
      <Text>{t(`${texts}.rotateHelp`)}</Text>
      <NativeSelect
        label={t(`${texts}.overlap`)}
        data={OVERLAPS.map(({ sec, key }) => ({ value: String(sec), label: t(key) }))}
        key={form.key('overlapSec')}
        {...form.getInputProps('overlapSec')}
      />
    </ResourceForm>
  )
}
