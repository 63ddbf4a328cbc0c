import { Group, Text } from '@mantine/core'
import { Flag } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { SharedTrack } from '../../../src/tracks/api/operator-track-schemas.ts'
import { LiveStatus } from '../components/live-status.tsx'
import { useFormat } from '../i18n/format.ts'
import type { LiveSnapshot } from './live-store.ts'
import type { LiveTracks } from './live-tracks.ts'

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

/** Time after the last end from which an event without a track in progress is over. */
const OVER_AFTER_MS = 6 * 3_600_000

/** Returns when the last track of a past event ended; undefined while any is in progress, and for some hours after. */
function overSince({ byId }: LiveTracks<SharedTrack>, nowMs: number): number | undefined {
  let overMs = Number.NEGATIVE_INFINITY
  for (const { track } of byId.values()) {
    if (track === undefined) continue
    if (track.state !== 'stopped') return undefined
    overMs = Math.max(overMs, Date.parse(track.end_ts ?? track.last_point_at ?? track.start_ts))
  }
  return Number.isFinite(overMs) && overMs < nowMs - OVER_AFTER_MS ? overMs : undefined
}
