import { CloseButton, Group, NativeSelect, SegmentedControl, Text, TextInput } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { SharedTrack } from '../../../src/tracks/schemas/track-summaries.ts'
import { useFormat } from '../i18n/format.ts'
import { type KnownTrack, ownerOf, type TrackFilter } from './list-tracks.ts'
import { LiveEntry } from './live-entry.tsx'
import './live-list.css'
import type { RunnerFigures } from './runner-figures.ts'
import type { ColourBy } from './runners/runner-colours.ts'
import { labelOf } from './runners/runner-names.ts'

const FILTERS: TrackFilter[] = ['all', 'live', 'finished']
const ROW_PX = 56
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
}

type LiveListProps<Track extends SharedTrack> = EntriesProps<Track> & {
  choices: Choices
  onChoose(choices: Partial<Choices>): void
  /** Properties that colours can tell apart. */
  colourings: readonly ColourBy[]
  /** Number of all tracks, also of those that the choices hide. */
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
        <SearchField
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

function SearchField({ text, onText, onEnter }: { text: string; onText(text: string): void; onEnter(): void }) {
  const { t } = useTranslation()
  return (
    <TextInput
      type="search"
      size="sm"
      aria-label={t('live.search')}
      placeholder={t('live.search')}
      leftSection={<Search size={16} aria-hidden />}
      rightSection={text !== '' && <CloseButton size="sm" aria-label={t('live.clear')} onClick={() => onText('')} />}
      value={text}
      onChange={({ currentTarget }) => onText(currentTarget.value)}
      onKeyDown={({ key }) => key === 'Enter' && onEnter()}
    />
  )
}

function Entries<Track extends SharedTrack>(props: EntriesProps<Track>) {
  const { entries, figuresOf, colourOf, selectedId, onSelect } = props
  const { t } = useTranslation()
  const scroller = useRef<HTMLElement>(null)
  const virtualizer = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => entries[index].track.id,
    overscan: 8,
  })
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
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard
    <section ref={scroller} className="live-entries" aria-label={t('live.list')} tabIndex={0} onKeyDown={move}>
      {entries.length === 0 && (
        <Text size="sm" c="dimmed" p="sm">
          {t('live.nobody')}
        </Text>
      )}
      <ul style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, key, start }) => (
          <li
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            style={{ transform: `translateY(${start}px)` }}
          >
            <LiveEntry
              {...shownOf(entries[index], figuresOf(entries[index]))}
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

/** Returns what an entry shows, as texts. */
function shownOf({ track, status }: KnownTrack<SharedTrack>, { heard, distance, rate, battery }: RunnerFigures) {
  const parts = [heard, distance, rate, ownerOf(track)].filter((part) => part !== undefined)
  return {
    id: track.id,
    label: labelOf(track),
    status,
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
