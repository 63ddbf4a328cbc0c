import { CloseButton, Text, TextInput } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { Search } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SharedTrack } from '../../../src/tracks/schemas/track-summaries.ts'
import { useNow } from '../components/use-now.ts'
import { useFormat } from '../i18n/format.ts'
import { type KnownTrack, listTracks } from './list-tracks.ts'
import { LiveEntry } from './live-entry.tsx'
import './live-list.css'
import type { LiveSnapshot } from './live-store.ts'

const ROW_PX = 60
/** Fewer tracks are seen at a glance and need no search. */
const MIN_TRACKS_FOR_SEARCH = 8
/** Interval at which "3 minutes ago" is brought up to date. */
const AGE_REFRESH_MS = 5000

type LiveListProps<Track extends SharedTrack> = {
  live: LiveSnapshot<Track>
  selectedId: string | undefined
  onSelect(id: string): void
  /** Renders more about the selected track, such as a link to its page. */
  more(track: Track): ReactNode
}

/** The tracks of a live map as a list, tracks in progress first, with a search field if there are many. */
export function LiveList<Track extends SharedTrack>({ live, selectedId, onSelect, more }: LiveListProps<Track>) {
  const { t, i18n } = useTranslation()
  const format = useFormat()
  const [text, setText] = useState('')
  const { tracks } = live
  const { listVersion } = tracks
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version tells that the list changed
  const entries = useMemo(() => listTracks(tracks, text, i18n.language), [tracks, listVersion, text, i18n.language])
  const select = (index: number) => entries[index] !== undefined && onSelect(entries[index].track.id)
  const isSearched = text !== '' || tracks.byId.size >= MIN_TRACKS_FOR_SEARCH
  return (
    <div className="live-list">
      {isSearched && (
        <>
          <TextInput
            type="search"
            size="sm"
            aria-label={t('live.search')}
            placeholder={t('live.search')}
            leftSection={<Search size={16} aria-hidden />}
            rightSection={
              text !== '' && <CloseButton size="sm" aria-label={t('live.clear')} onClick={() => setText('')} />
            }
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            onKeyDown={({ key }) => key === 'Enter' && select(0)}
          />
          <Text size="xs" c="dimmed" px={4} role="status" className="figures">
            {t('events.tracks', { count: entries.length, figure: format.count(entries.length) })}
          </Text>
        </>
      )}
      <Entries entries={entries} selectedId={selectedId} onSelect={onSelect} more={more} />
    </div>
  )
}

type EntriesProps<Track extends SharedTrack> = Omit<LiveListProps<Track>, 'live'> & { entries: KnownTrack<Track>[] }

function Entries<Track extends SharedTrack>({ entries, selectedId, onSelect, more }: EntriesProps<Track>) {
  const { t } = useTranslation()
  useNow(AGE_REFRESH_MS)
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
  const nowMs = Date.now()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard
    <section ref={scroller} className="live-entries" aria-label={t('live.list')} tabIndex={0} onKeyDown={move}>
      <ul style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, key, start }) => (
          <li
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            style={{ transform: `translateY(${start}px)` }}
          >
            <LiveEntry
              entry={entries[index]}
              nowMs={nowMs}
              isSelected={entries[index].track.id === selectedId}
              onSelect={onSelect}
              more={more}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Returns the index that a key leads to from an entry; undefined for keys that do not move. */
function keyTarget(key: string, index: number, count: number): number | undefined {
  if (key === 'ArrowDown') return Math.min(count - 1, index + 1)
  if (key === 'ArrowUp') return Math.max(0, index - 1)
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : undefined
}
