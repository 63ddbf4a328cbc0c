import { Button, Group, Stack } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/titles.tsx'
import { VirtualTable } from '../../ui/virtual-table.tsx'
import { useRights } from '../access/rights.tsx'
import { archiveAddress } from '../api/addresses.ts'
import { tracksQuery } from '../api/queries.ts'
import { Loaded } from '../components/feedback.tsx'
import { ChooseFiles, DropAnywhere } from '../components/file-choice.tsx'
import { FilterSelect, ListCount, ListFilters, usePages } from '../components/lists.tsx'
import { paths, routeIds } from '../components/paths.ts'
import { FirstSteps } from '../events/first-steps.tsx'
import type { TrackSummary } from '../generated/types.gen.ts'
import { DownloadMenu } from './download-menu.tsx'
import { ImportList } from './import-list.tsx'
import { importQueue } from './import-queue.ts'
import { useTrackColumns } from './track-columns.tsx'
import { ACTIVITIES, STATES, type TrackSearch } from './track-search.ts'

/** Ends of the names of recordings. A file whose end says nothing can be dropped. */
const RECORDINGS = '.gpx,.tcx,.fit,.kml,.geojson,.json,.gz'

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
  const { rows, total, onEnd } = usePages(query, ({ tracks }) => tracks)
  const isFiltered = search.q !== undefined || search.state !== undefined || search.activity_type !== undefined
  const addFiles = (files: File[]) => importQueue.add(eventId, files)
  const clear = () => change({ q: undefined, state: undefined, activity_type: undefined })
  return (
    <Stack>
      {canEdit && <DropAnywhere onFiles={addFiles} label={t('import.dropHere')} />}
      {canEdit && <ImportList eventId={eventId} />}
      <Filters eventId={eventId} hasTracks={total > 0} search={search} onChange={change} onFiles={addFiles} />
      <Loaded query={query}>
        {() =>
          total === 0 ? (
            <NoTracks eventId={eventId} isFiltered={isFiltered} onClear={clear} />
          ) : (
            <TrackTable rows={rows} total={total} search={search} onChange={change} onEnd={onEnd} />
          )
        }
      </Loaded>
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
  return (
    <VirtualTable
      label={t('event.tracks')}
      columns={columns}
      rows={rows}
      total={total}
      rowId={(track) => track.id}
      sortedBy={sort}
      order={search.order ?? (sort === 'title' ? 'asc' : 'desc')}
      onSort={(id, order) => onChange({ sort: id as TrackSearch['sort'], order })}
      onEnd={onEnd}
      heightPx="max(360px, calc(100dvh - 380px))"
    />
  )
}
