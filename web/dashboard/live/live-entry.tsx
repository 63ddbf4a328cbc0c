import { Group, Paper, Text, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { SharedTrack } from '../../../src/tracks/schemas/track-summaries.ts'
import { useFormat } from '../i18n/format.ts'
import { StateBadge } from '../tracks/state-badge.tsx'
import { type KnownTrack, ownerOf } from './list-tracks.ts'

/** A position younger than this is "just now": phones send this often, and a count of seconds would only flicker. */
const JUST_NOW_MS = 10_000

type LiveEntryProps<Track extends SharedTrack> = {
  entry: KnownTrack<Track>
  nowMs: number
  isSelected: boolean
  onSelect(id: string): void
  more(track: Track): ReactNode
}

/** A track of a live map as an entry of the list. */
export function LiveEntry<Track extends SharedTrack>(props: LiveEntryProps<Track>) {
  const { entry, nowMs, isSelected, onSelect, more } = props
  const { track } = entry
  const owner = ownerOf(track)
  return (
    <Paper withBorder={isSelected} px="xs" py={6} mb={4} className="live-entry" data-selected={isSelected || undefined}>
      <UnstyledButton w="100%" aria-pressed={isSelected} onClick={() => onSelect(track.id)}>
        <Group justify="space-between" wrap="nowrap" gap="xs">
          <Text fw={600} size="sm" truncate>
            {track.title}
          </Text>
          <StateBadge state={track.state} />
        </Group>
        {owner !== undefined && (
          <Text size="xs" truncate>
            {owner}
          </Text>
        )}
        <Figures entry={entry} nowMs={nowMs} />
      </UnstyledButton>
      {isSelected && more(track)}
    </Paper>
  )
}

function Figures({ entry, nowMs }: { entry: KnownTrack<SharedTrack>; nowMs: number }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { track, lastSpeedMps, lastTimeMs } = entry
  const heardMs = Math.max(lastTimeMs, Date.parse(track.last_point_at ?? track.start_ts))
  const isMoving = track.state === 'running' && lastSpeedMps !== null && lastSpeedMps >= 0
  const figures = [
    track.points_count === 0 ? t('live.noPoints') : lastHeard(),
    ...(track.stats === null ? [] : [format.distance(track.stats.distance_meters)]),
    ...(isMoving ? [format.speed(lastSpeedMps)] : []),
  ]
  return (
    <Text size="xs" c="dimmed" className="figures" truncate>
      {figures.join(' · ')}
    </Text>
  )

  /** Clocks differ, and a point is never from the future. */
  function lastHeard(): string {
    return nowMs - heardMs < JUST_NOW_MS ? t('live.justNow') : format.ago(heardMs, nowMs)
  }
}
