import { Group, Text } from '@mantine/core'
import { Flag } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { SharedTrack } from '../../../src/tracks/api/operator-track-schemas.ts'
import { LiveStatus } from '../components/live-status.tsx'
import { useFormat } from '../i18n/format.ts'
import type { LiveSnapshot } from './live-store.ts'
import { lastEndMs, OVER_AFTER_MS } from './live-tracks.ts'

/** Tells whether a live event is up to date and by how much it is shown later, or when it ended. */
export function EventStatus({ live }: { live: LiveSnapshot<SharedTrack> }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { state, currentAtMs, delaySec } = live
  const overMs = overSince(live)
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

/** Returns when the last track of a past event ended; undefined while any is in progress, and for some hours after. */
export function overSince({ state, tracks, shownNowMs }: LiveSnapshot<SharedTrack>): number | undefined {
  const endMs = lastEndMs(tracks)
  return state === 'live' && endMs < shownNowMs() - OVER_AFTER_MS ? endMs : undefined
}
