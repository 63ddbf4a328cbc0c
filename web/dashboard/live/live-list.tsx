import { Group, Paper, Text, UnstyledButton } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { SharedTrack } from '../../../src/tracks/operator-schemas.ts'
import { useFormat } from '../i18n/format.ts'
import { useNow } from '../shell/use-now.ts'
import { StateBadge } from '../track/state-badge.tsx'
import type { LiveTrack } from './live-tracks.ts'
import './live-list.css'
import type { Live } from './use-live-tracks.ts'

const ROW_PX = 68
const ORDER = { running: 0, paused: 1, stopped: 2 } as const

type LiveListProps<Track extends SharedTrack> = {
  live: Live<Track>
  selectedId: string | undefined
  onSelect(id: string): void
  /** What further stands with the chosen track, such as a link to its page. */
  more?(track: Track): ReactNode
}

/** The tracks of a live map in words: those under way first, then the ones heard of last. */
export function LiveList<Track extends SharedTrack>({ live, selectedId, onSelect, more }: LiveListProps<Track>) {
  const { t } = useTranslation()
  const entries = useSorted(live)
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => entries[index].track.id,
    overscan: 8,
  })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section ref={scroller} className="live-list" aria-label={t('live.list')} tabIndex={0}>
      <ul style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, key, start }) => (
          <li
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            style={{ transform: `translateY(${start}px)` }}
          >
            <Entry
              entry={entries[index]}
              selected={entries[index].track.id === selectedId}
              onSelect={onSelect}
              more={more}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

type Known<Track extends SharedTrack> = LiveTrack<Track> & { track: Track }

function useSorted<Track extends SharedTrack>({ tracks, version }: Live<Track>): Known<Track>[] {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version is what says that the tracks changed
  return useMemo(
    () =>
      [...tracks.values()]
        .filter((entry): entry is Known<Track> => entry.track !== undefined)
        .sort((a, b) => ORDER[a.track.state] - ORDER[b.track.state] || heardMs(b) - heardMs(a)),
    [tracks, version],
  )
}

function heardMs({ track, lastTimeMs }: Known<SharedTrack>): number {
  return Math.max(lastTimeMs, Date.parse(track.last_point_at ?? track.start_ts))
}

type EntryProps<Track extends SharedTrack> = {
  entry: Known<Track>
  selected: boolean
  onSelect(id: string): void
  more?(track: Track): ReactNode
}

function Entry<Track extends SharedTrack>({ entry, selected, onSelect, more }: EntryProps<Track>) {
  const { t } = useTranslation()
  const format = useFormat()
  const nowMs = useNow()
  const { track } = entry
  return (
    <Paper withBorder={selected} p="xs" mb={4} bg={selected ? 'var(--mantine-color-default-hover)' : 'transparent'}>
      <UnstyledButton w="100%" aria-pressed={selected} onClick={() => onSelect(track.id)}>
        <Group justify="space-between" wrap="nowrap" gap="xs">
          <Text fw={600} size="sm" truncate>
            {track.title}
          </Text>
          <StateBadge state={track.state} />
        </Group>
        <Text size="xs" c="dimmed" className="figures">
          {track.points_count === 0 ? t('live.noPoints') : format.ago(heardMs(entry), nowMs)}
          {track.stats !== null && ` · ${format.distance(track.stats.distance_meters)}`}
          {track.state === 'running' &&
            entry.lastSpeedMps !== null &&
            entry.lastSpeedMps >= 0 &&
            ` · ${format.speed(entry.lastSpeedMps)}`}
        </Text>
      </UnstyledButton>
      {selected && more?.(track)}
    </Paper>
  )
}
