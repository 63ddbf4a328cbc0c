import { Button, Group, Stack } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { SortingState } from '@tanstack/react-table'
import { SearchX } from 'lucide-react'
import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { VirtualTable } from '../../../ui/virtual-table.tsx'
import { useRights } from '../../access/rights.tsx'
import { archiveAddress, type TrackSummary, tracksQuery } from '../../api/tracks.ts'
import { ListCount } from '../../components/list-count.tsx'
import { Failure } from '../../feedback/failure.tsx'
import { Loading } from '../../feedback/loaded.tsx'
import { FilterSelect, ListFilters } from '../../forms/list-filters.tsx'
import { ImportList } from '../../imports/import-list.tsx'
import { importQueue } from '../../imports/import-queue.ts'
import { paths, routeIds } from '../../navigation/paths.ts'
import { ACTIVITIES } from '../../tracks/activity-types.ts'
import { DownloadMenu } from '../../tracks/download-menu.tsx'
import { ChooseFiles } from '../../uploads/choose-files.tsx'
import { DropAnywhere } from '../../uploads/drop-anywhere.tsx'
import { FirstSteps } from './first-steps.tsx'
import { useTrackColumns } from './track-columns.tsx'
import { STATES, type TrackSearch } from './track-search.ts'

const NUMERIC = ['distance', 'duration', 'points']
/** Ends of the names of recordings. A file whose end says nothing can be dropped. */
const RECORDINGS = '.gpx,.tcx,.fit,.kml,.geojson,.json,.gz'
const NO_TRACKS: TrackSummary[] = []

/** An event's tracks as a list. The address holds the search and the order. */
export function TracksPage() {
  const { t } = useTranslation()
  const { canEdit } = useRights()
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
  const addFiles = (files: File[]) => importQueue.add(eventId, files)
  const clear = () => change({ q: undefined, state: undefined, activity_type: undefined })
  return (
    <Stack>
      {canEdit && <DropAnywhere onFiles={addFiles} label={t('import.dropHere')} />}
      {canEdit && <ImportList eventId={eventId} />}
      <Filters eventId={eventId} hasTracks={total > 0} search={search} onChange={change} onFiles={addFiles} />
      {query.isError && query.data === undefined ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data === undefined ? (
        <Loading />
      ) : total === 0 ? (
        <NoTracks eventId={eventId} isFiltered={isFiltered} onClear={clear} />
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
      <ListCount
        shown={rows.length}
        total={total}
        partLabel={(figures) => t('tracks.count', figures)}
        allLabel={(counted) => t('events.tracks', counted)}
      />
    </Stack>
  )
}

/** Tells whether statistics are missing that the server is computing because this list was requested. */
function isComputing(tracks: readonly TrackSummary[] = []): boolean {
  return tracks.some(({ stats, points_count }) => stats === null && points_count > 0)
}

type FiltersProps = {
  eventId: string
  hasTracks: boolean
  search: TrackSearch
  onChange(part: TrackSearch): void
  onFiles(files: File[]): void
}

function Filters({ eventId, hasTracks, search, onChange, onFiles }: FiltersProps) {
  const { t } = useTranslation()
  const { canEdit } = useRights()
  return (
    <ListFilters search={search.q} onSearch={(q) => onChange({ q })} placeholder={t('tracks.searchIn')}>
      <FilterSelect
        label={t('field.state')}
        values={STATES}
        value={search.state}
        labelOf={(state) => t(`state.${state}`)}
        onChange={(state) => onChange({ state })}
      />
      <FilterSelect
        label={t('tracks.activity')}
        values={ACTIVITIES}
        value={search.activity_type}
        labelOf={(activity) => t(`activity.${activity}`)}
        onChange={(activity_type) => onChange({ activity_type })}
      />
      <Group ml="auto">
        {canEdit && <ChooseFiles onFiles={onFiles} isPrimary={false} label={t('import.choose')} accept={RECORDINGS} />}
        {hasTracks && (
          <DownloadMenu
            label={t('tracks.downloadAll')}
            help={t('tracks.downloadAllHelp')}
            hasPoints
            isConfirmed
            addressOf={(format) => archiveAddress(eventId, format)}
          />
        )}
      </Group>
    </ListFilters>
  )
}

type NoTracksProps = { eventId: string; isFiltered: boolean; onClear(): void }

function NoTracks({ eventId, isFiltered, onClear }: NoTracksProps) {
  const { t } = useTranslation()
  if (!isFiltered) return <FirstSteps eventId={eventId} />
  const action = (
    <Button variant="default" onClick={onClear}>
      {t('list.clear')}
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
