import { Group, Text } from '@mantine/core'
import { Flag } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { SharedTrack } from '../../../src/tracks/schemas/track-summaries.ts'
import { useFormat } from '../i18n/format.ts'
import { LiveStatus } from './live-status.tsx'
import type { LiveSnapshot } from './live-store.ts'
import { overSince } from './over-since.ts'

/** Tells whether a live event is up to date and by how much it is shown later, or when it ended. */
export function EventStatus({ live }: { live: LiveSnapshot<SharedTrack> }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { state, currentAtMs, delaySec, tracks } = live
  const overMs = state === 'live' ? overSince(tracks, live.shownNowMs()) : undefined
  if (overMs !== undefined) {
    return (
      <Group gap={6} role="status">
        <Flag size={16} aria-hidden color="var(--mantine-color-dimmed)" />
        <Text size="sm">{t('live.over', { date: format.date(new Date(overMs).toISOString()) })}</Text>
      </Group>
    )
  }
  return (
    <Group gap="xs">
      <LiveStatus state={state} currentAtMs={currentAtMs} />
      {delaySec > 0 && (
        <Text size="sm" className="figures">
          {delaySec < 60
            ? t('live.delayedSeconds', { seconds: delaySec })
            : t('live.delayedMinutes', { count: Math.round(delaySec / 60) })}
        </Text>
      )}
    </Group>
  )
}
