import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { TokenLifetime } from '../api/participants.ts'
import type { Key } from '../i18n/en.ts'

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
export function lifetimeSec(value: string): number | undefined {
  return value === '' || value === NEVER ? undefined : Number(value)
}

/** Returns a chosen lifetime of an app token; without a choice nothing, and the server sets it. */
export function tokenLifetime(value: string): TokenLifetime {
  if (value === NEVER) return { never_expires: true }
  const keepSec = lifetimeSec(value)
  return keepSec === undefined ? {} : { keep_sec: keepSec }
}
