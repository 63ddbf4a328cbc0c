import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { SortingState } from '@tanstack/react-table'
import { Route, Search, SearchX } from 'lucide-react'
import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { VirtualTable } from '../../../ui/virtual-table.tsx'
import { type TrackSummary, tracksQuery } from '../../api/tracks.ts'
import { Failure } from '../../feedback/failure.tsx'
import { Loading } from '../../feedback/loaded.tsx'
import { useSearchText } from '../../forms/use-search-text.ts'
import { useFormat } from '../../i18n/format.ts'
import { paths, routeIds } from '../../navigation/paths.ts'
import { useTrackColumns } from './track-columns.tsx'
import { ACTIVITIES, STATES, type TrackSearch } from './track-search.ts'

const NUMERIC = ['distance', 'duration', 'points']
const NO_TRACKS: TrackSummary[] = []

/** An event's tracks as a list; what is searched for and how it is sorted stands in the address. */
export function TracksPage() {
  const { eventId } = useParams({ from: routeIds.eventTracks })
  const search = useSearch({ from: routeIds.eventTracks })
  const navigate = useNavigate()
  const change = useCallback(
    (part: TrackSearch) =>
      void navigate({
        from: paths.eventTracks,
        to: '.',
        search: (before) => ({ ...before, ...part }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  )
  const query = useInfiniteQuery({
    ...tracksQuery(eventId, search),
    refetchInterval: ({ state }) => (isComputing(state.data?.pages[0]?.tracks) ? 3000 : 30_000),
  })
  const rows = useMemo(() => query.data?.pages.flatMap(({ tracks }) => tracks) ?? NO_TRACKS, [query.data])
  const total = query.data?.pages[0]?.total ?? 0
  const isFiltered = search.q !== undefined || search.state !== undefined || search.activity_type !== undefined
  const clear = () => change({ q: undefined, state: undefined, activity_type: undefined })
  return (
    <Stack>
      <Filters search={search} onChange={change} />
      {query.isError && query.data === undefined ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data === undefined ? (
        <Loading />
      ) : total === 0 ? (
        <Nothing isFiltered={isFiltered} onClear={clear} />
      ) : (
        <TrackTable
          rows={rows}
          total={total}
          search={search}
          onChange={change}
          onEnd={() => {
            if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage()
          }}
        />
      )}
      <Count shown={rows.length} total={total} known={query.data !== undefined} />
    </Stack>
  )
}

/** Whether figures are missing that the server computes now, because somebody has asked for this list. */
function isComputing(tracks: readonly TrackSummary[] = []): boolean {
  return tracks.some(({ stats, points_count }) => stats === null && points_count > 0)
}

type FiltersProps = { search: TrackSearch; onChange(part: TrackSearch): void }

function Filters({ search, onChange }: FiltersProps) {
  const { t } = useTranslation()
  const { text, change } = useSearchText(search.q, (q) => onChange({ q }))
  return (
    <Group align="flex-end" role="search">
      <TextInput
        type="search"
        label={t('tracks.search')}
        placeholder={t('tracks.searchIn')}
        leftSection={<Search size={16} aria-hidden />}
        value={text}
        onChange={({ currentTarget }) => change(currentTarget.value)}
        flex="1 1 260px"
        maw={420}
      />
      <NativeSelect
        label={t('tracks.state')}
        value={search.state ?? ''}
        onChange={({ currentTarget }) => onChange({ state: STATES.find((state) => state === currentTarget.value) })}
        data={[
          { value: '', label: t('tracks.all') },
          ...STATES.map((state) => ({ value: state, label: t(`state.${state}`) })),
        ]}
      />
      <NativeSelect
        label={t('tracks.activity')}
        value={search.activity_type ?? ''}
        onChange={({ currentTarget }) =>
          onChange({ activity_type: ACTIVITIES.find((activity) => activity === currentTarget.value) })
        }
        data={[
          { value: '', label: t('tracks.all') },
          ...ACTIVITIES.map((activity) => ({ value: activity, label: t(`activity.${activity}`) })),
        ]}
      />
    </Group>
  )
}

function Nothing({ isFiltered, onClear }: { isFiltered: boolean; onClear(): void }) {
  const { t } = useTranslation()
  if (!isFiltered) {
    return (
      <EmptyState icon={Route} title={t('tracks.empty')}>
        {t('live.emptyHelp')}
      </EmptyState>
    )
  }
  const action = (
    <Button variant="default" onClick={onClear}>
      {t('tracks.clear')}
    </Button>
  )
  return <EmptyState icon={SearchX} title={t('tracks.noneFound')} action={action} />
}

type TrackTableProps = {
  rows: TrackSummary[]
  total: number
  search: TrackSearch
  onChange(part: TrackSearch): void
  onEnd(): void
}

function TrackTable({ rows, total, search, onChange, onEnd }: TrackTableProps) {
  const { t } = useTranslation()
  const columns = useTrackColumns()
  const sort = search.sort ?? 'start'
  const order = search.order ?? (sort === 'title' ? 'asc' : 'desc')
  const sorting = useMemo<SortingState>(() => [{ id: sort, desc: order === 'desc' }], [sort, order])
  return (
    <VirtualTable
      label={t('event.tracks')}
      columns={columns}
      rows={rows}
      total={total}
      rowId={(track) => track.id}
      sorting={sorting}
      onSorting={([first]) =>
        first !== undefined && onChange({ sort: first.id as TrackSearch['sort'], order: first.desc ? 'desc' : 'asc' })
      }
      onEnd={onEnd}
      numeric={NUMERIC}
      heightPx="max(360px, calc(100dvh - 380px))"
    />
  )
}

function Count({ shown, total, known }: { shown: number; total: number; known: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Text size="sm" c="dimmed" role="status">
      {known &&
        total > 0 &&
        shown < total &&
        t('tracks.count', { shown: format.count(shown), total: format.count(total) })}
      {known && total > 0 && shown >= total && t('events.tracks', { count: total, figure: format.count(total) })}
    </Text>
  )
}
