import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Key } from '../i18n/en.ts'

/** The lifetimes that can be chosen for a token or a key. */
const LIFETIMES: readonly { value: string; key: Key }[] = [
  { value: '', key: 'lifetime.none' },
  { value: String(86_400), key: 'overlap.day' },
  { value: String(7 * 86_400), key: 'overlap.week' },
  { value: String(30 * 86_400), key: 'overlap.month' },
  { value: String(365 * 86_400), key: 'lifetime.year' },
]

type LifetimeSelectProps = { value: string; onChange(value: string): void }

/** The end of a new token or key: never, or after a while. */
export function LifetimeSelect({ value, onChange }: LifetimeSelectProps) {
  const { t } = useTranslation()
  return (
    <NativeSelect
      label={t('field.expires')}
      data={LIFETIMES.map((lifetime) => ({ value: lifetime.value, label: t(lifetime.key) }))}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

/** Returns a chosen lifetime in seconds; undefined without an end. */
export function lifetimeSec(value: string): number | undefined {
  return value === '' ? undefined : Number(value)
}
