import { Group, NativeSelect, SegmentedControl, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { BatteryWarning } from 'lucide-react'
import { type CSSProperties, type KeyboardEvent, memo, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { SharedTrack } from '../../../src/tracks/api/operator-track-schemas.ts'
import { RunnerSearch } from '../components/lists.tsx'
import { useFormat } from '../i18n/format.ts'
import { type KnownTrack, ownerOf, type RunnerFigures, type TrackFilter } from './list-tracks.ts'
import './live-view.css'
import { type RaceStatus, StatusBadge } from './runner-card.tsx'
import { type ColourBy, type Listed, labelOf, type RunnerStatus } from './runners.ts'

const FILTERS: TrackFilter[] = ['all', 'live', 'finished']
const ROW_PX = 50
/** Fewer tracks are seen at a glance and need no search. */
const MIN_TRACKS_FOR_SEARCH = 8

/** The choices above the list. */
type Choices = {
  text: string
  filter: TrackFilter
  colourBy: ColourBy
}

type EntriesProps<Track extends SharedTrack> = {
  entries: readonly KnownTrack<Track>[]
  figuresOf(entry: KnownTrack<Track>): RunnerFigures
  colourOf(entry: KnownTrack<Track>): string
  selectedId: string | undefined
  onSelect(id: string): void
  /** Told which entries are in view, or nearly. */
  onLook(ids: readonly string[]): void
}

type LiveListProps<Track extends SharedTrack> = EntriesProps<Track> & {
  choices: Choices
  onChoose(choices: Partial<Choices>): void
  /** Properties that colours can tell apart. */
  colourings: readonly ColourBy[]
  /** Number of all tracks, including tracks that the choices hide. */
  total: number
  /** Tracks that the stream leaves out. */
  leftOut: number
}

/** The tracks of a live map as a list, with a filter and a search that hold for the map as well. */
export function LiveList<Track extends SharedTrack>(props: LiveListProps<Track>) {
  const { choices, onChoose, total, leftOut, colourings, ...entries } = props
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <div className="live-list">
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label={t('live.filter')}
        value={choices.filter}
        onChange={(filter) => onChoose({ filter })}
        data={FILTERS.map((value) => ({ value, label: t(`live.filter.${value}`) }))}
      />
      {(choices.text !== '' || total >= MIN_TRACKS_FOR_SEARCH) && (
        <RunnerSearch
          text={choices.text}
          onText={(text) => onChoose({ text })}
          onEnter={() => entries.entries[0] !== undefined && entries.onSelect(entries.entries[0].track.id)}
        />
      )}
      <Group justify="space-between" wrap="nowrap" px={4}>
        <Text size="xs" c="dimmed" role="status" className="figures">
          {t('events.tracks', { count: entries.entries.length, figure: format.count(entries.entries.length) })}
        </Text>
        <NativeSelect
          size="xs"
          variant="unstyled"
          aria-label={t('live.colourBy')}
          value={choices.colourBy}
          onChange={({ currentTarget }) => onChoose({ colourBy: currentTarget.value as ColourBy })}
          data={colourings.map((value) => ({ value, label: t(`live.colourBy.${value}`) }))}
        />
      </Group>
      {leftOut > 0 && (
        <Text size="xs" c="dimmed" px={4}>
          {t('live.leftOut', { count: leftOut, figure: format.count(leftOut) })}
        </Text>
      )}
      <Entries {...entries} />
    </div>
  )
}

function Entries<Track extends SharedTrack>(props: EntriesProps<Track>) {
  const { entries, figuresOf, colourOf, selectedId, onSelect, onLook } = props
  const { t } = useTranslation()
  const { language } = useFormat()
  const scroller = useRef<HTMLElement>(null)
  const virtualizer = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => entries[index].track.id,
    overscan: 8,
  })
  const rows = virtualizer.getVirtualItems()
  const looked = rows.map(({ key }) => key).join()
  useEffect(() => onLook(looked === '' ? [] : looked.split(',')), [looked, onLook])
  const move = (event: KeyboardEvent) => {
    const row = (event.target as Element).closest('li')
    const to = row === null ? undefined : keyTarget(event.key, Number(row.dataset.index), entries.length)
    if (to === undefined) return
    event.preventDefault()
    virtualizer.scrollToIndex(to)
    // The entry exists once the list has been drawn.
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-index="${to}"] button`)?.focus())
  }
  return (
    <section
      ref={scroller}
      id="runners"
      className="live-entries"
      aria-label={t('live.list')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard
      tabIndex={0}
      onKeyDown={move}
    >
      {entries.length === 0 && (
        <Text size="sm" c="dimmed" p="sm">
          {t('live.nobody')}
        </Text>
      )}
      <ul style={{ height: virtualizer.getTotalSize() }}>
        {rows.map(({ index, key, start }) => (
          <li
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            style={{ transform: `translateY(${start}px)` }}
          >
            <LiveEntry
              {...shownOf(entries[index], figuresOf(entries[index]), language)}
              colour={colourOf(entries[index])}
              isSelected={entries[index].track.id === selectedId}
              onSelect={onSelect}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Returns the texts of an entry. */
function shownOf(
  { track, status }: KnownTrack<SharedTrack>,
  { heard, distance, rate, averageRate, battery, rank, gap, raceTime, offCourse }: RunnerFigures,
  language: string,
) {
  // Until the present rate has been measured, the one since the start stands for it.
  const shownRate = status === 'running' ? (rate ?? averageRate) : undefined
  const sinceStart = raceTime === undefined ? [heard, gap, distance, shownRate] : [raceTime, gap]
  const parts = [offCourse, ...sinceStart, ownerOf(track, language)].filter((part) => part !== undefined)
  return {
    id: track.id,
    label: labelOf(track, language),
    rank,
    status,
    raceStatus: (track as Listed).race?.status ?? undefined,
    line: parts.join(' · '),
    lowBattery: battery?.isLow ? battery.text : undefined,
  }
}

/** Returns the index that a key leads to from an entry; undefined for keys that do not move. */
function keyTarget(key: string, index: number, count: number): number | undefined {
  if (key === 'ArrowDown') return Math.min(count - 1, index + 1)
  if (key === 'ArrowUp') return Math.max(0, index - 1)
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : undefined
}

type LiveEntryProps = {
  id: string
  /** Its name in the list. */
  label: string
  /** Place in the race. */
  rank: string | undefined
  status: RunnerStatus
  raceStatus: RaceStatus | undefined
  /** Its figures and its owner in one line. */
  line: string
  /** Charge of a battery that is low, as a text. */
  lowBattery: string | undefined
  /** The runner's colour on the map. */
  colour: string
  isSelected: boolean
  onSelect(id: string): void
}

/**
 * A track of a live map as an entry of the list. It is as high for every track, so that news move nothing. It is drawn
 * anew only if its texts change: most updates of a busy event concern others.
 */
const LiveEntry = memo(function LiveEntry(props: LiveEntryProps) {
  const { id, label, rank, status, raceStatus, line, lowBattery, colour, isSelected, onSelect } = props
  const { t } = useTranslation()
  return (
    <UnstyledButton
      className="live-entry"
      data-selected={isSelected || undefined}
      data-status={status}
      aria-pressed={isSelected}
      onClick={() => onSelect(id)}
    >
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Group gap={8} wrap="nowrap" miw={0}>
          <span
            className="live-swatch"
            data-status={status}
            style={{ '--runner': colour } as CSSProperties}
            aria-hidden
          />
          {rank !== undefined && (
            <Text size="sm" c="dimmed" className="live-rank figures" aria-label={t('live.rank', { rank })}>
              {rank}
            </Text>
          )}
          <Text fw={600} size="sm" truncate>
            {label}
          </Text>
        </Group>
        {/* Most are on their way, which the line below tells by their pace: badges are for all others. */}
        {status === 'running' && raceStatus === undefined ? (
          <VisuallyHidden>{t('state.running')}</VisuallyHidden>
        ) : (
          <StatusBadge status={status} raceStatus={raceStatus} />
        )}
      </Group>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="xs" c="dimmed" className="figures" truncate>
          {line}
        </Text>
        {lowBattery !== undefined && (
          <Group gap={2} wrap="nowrap" className="live-battery-low">
            <BatteryWarning size={16} aria-hidden />
            <Text size="xs" fw={600} className="figures" aria-label={t('live.batteryLow', { charge: lowBattery })}>
              {lowBattery}
            </Text>
          </Group>
        )}
      </Group>
    </UnstyledButton>
  )
})
