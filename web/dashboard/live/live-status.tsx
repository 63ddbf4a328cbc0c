import { Group, Text } from '@mantine/core'
import { Radio } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Key } from '../i18n/en.ts'
import type { LiveState } from './live-state.ts'

const LABELS: Record<LiveState, Key> = {
  opening: 'live.opening',
  live: 'live.live',
  waiting: 'live.waiting',
  closed: 'live.closed',
  ended: 'live.ended',
}

/** Tells whether a live page is up to date. */
export function LiveStatus({ state }: { state: LiveState }) {
  const { t } = useTranslation()
  return (
    <Group gap={6} role="status">
      <Radio
        size={16}
        aria-hidden
        color={state === 'live' ? 'var(--mantine-color-teal-7)' : 'var(--mantine-color-dimmed)'}
      />
      <Text size="sm">{t(LABELS[state])}</Text>
    </Group>
  )
}
