import { Button, Group, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { GitCompareArrows, SearchX } from 'lucide-react'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/titles.tsx'
import { VirtualTable } from '../../ui/virtual-table.tsx'
import { useRights } from '../access/rights.tsx'
import { archiveAddress } from '../api/addresses.ts'
import { tracksQuery } from '../api/queries.ts'
import { useChangeSearch } from '../components/change-search.ts'
import { Loaded } from '../components/feedback.tsx'
import { ChooseFiles, DropAnywhere } from '../components/file-choice.tsx'
import { ButtonLink } from '../components/links.tsx'
import { FilterSelect, ListCount, ListFilters, usePages } from '../components/lists.tsx'
import { paths, routeIds } from '../components/paths.ts'
import { FirstSteps } from '../events/first-steps.tsx'
import type { TrackSummary } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { DownloadMenu } from './download-menu.tsx'
import { ImportList } from './import-list.tsx'
import { importQueue } from './import-queue.ts'
import { useSelectColumn, useTrackColumns } from './track-columns.tsx'
import { ACTIVITIES, STATES, type TrackSearch } from './track-search.ts'
import { useTrackState } from './track-status.tsx'

/** Ends of the names of recordings. A file whose end says nothing can be dropped. */
const RECORDINGS = '.gpx,.tcx,.fit,.kml,.geojson,.json,.gz'

/** An event's tracks as a list. The address holds the search and the order. */
export function TracksPage() {
  const { t } = useTranslation()
  const { canEdit } = useRights()
  const { eventId } = useParams({ from: routeIds.eventTracks })
  const search = useSearch({ from: routeIds.eventTracks })
  const change = useChangeSearch<TrackSearch>(paths.eventTracks)
  const query = useInfiniteQuery({
    ...tracksQuery(eventId, search),
    refetchInterval: ({ state }) => (isComputing(state.data?.pages[0]?.tracks) ? 3000 : 30_000),
  })
  const { rows, total, onEnd } = usePages(query, ({ tracks }) => tracks)
  const selection = useSelection()
  const isFiltered = search.q !== undefined || search.state !== undefined || search.activity_type !== undefined
  const addFiles = (files: File[]) => importQueue.add(eventId, files)
  const clear = () => change({ q: undefined, state: undefined, activity_type: undefined })
  return (
    <Stack>
      {canEdit && <DropAnywhere onFiles={addFiles} label={t('import.dropHere')} />}
      {canEdit && <ImportList eventId={eventId} />}
      <Filters eventId={eventId} hasTracks={total > 0} search={search} onChange={change} onFiles={addFiles} />
      <SelectionBar {...selection} eventId={eventId} />
      <Loaded query={query}>
        {() =>
          total === 0 ? (
            <NoTracks eventId={eventId} isFiltered={isFiltered} onClear={clear} />
          ) : (
            <TrackTable
              {...selection}
              eventId={eventId}
              rows={rows}
              total={total}
              search={search}
              onChange={change}
              onEnd={onEnd}
            />
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
        all="tracks.allActivities"
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

/** Two tracks to compare: the latest two to be selected. */
type Selection = { selected: readonly TrackSummary[]; onToggle(track: TrackSummary): void; onClear(): void }

function useSelection(): Selection {
  const [selected, setSelected] = useState<readonly TrackSummary[]>([])
  const onToggle = useCallback((track: TrackSummary) => {
    setSelected((before) => {
      const others = before.filter(({ id }) => id !== track.id)
      return others.length < before.length ? others : [...others.slice(-1), track]
    })
  }, [])
  return { selected, onToggle, onClear: () => setSelected([]) }
}

/** The selected tracks, and the way to their comparison. They stay selected while the list is searched. */
function SelectionBar({ selected, onClear, eventId }: Selection & { eventId: string }) {
  const { t } = useTranslation()
  const { trackName } = useFormat()
  const [a, b] = selected.map(({ id }) => id)
  return (
    <Group role="status" gap="sm" mih={selected.length > 0 ? 36 : 0}>
      {selected.length > 0 && (
        <>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {t('comparison.selected', {
              names: selected.map(({ name, start_ts }) => trackName(name, start_ts)).join(', '),
            })}
            {b === undefined && ` – ${t('comparison.selectOther')}`}
          </Text>
          {b !== undefined && (
            <ButtonLink
              size="xs"
              to={paths.eventComparison}
              params={{ eventId }}
              search={{ a, b }}
              leftSection={<GitCompareArrows size={14} aria-hidden />}
            >
              {t('comparison.compare')}
            </ButtonLink>
          )}
          <Button variant="subtle" size="xs" onClick={onClear}>
            {t('comparison.clear')}
          </Button>
        </>
      )}
    </Group>
  )
}

type TrackTableProps = Selection & {
  eventId: string
  rows: TrackSummary[]
  total: number
  search: TrackSearch
  onChange(part: TrackSearch): void
  onEnd(): void
}

function TrackTable({ eventId, rows, total, search, onChange, onEnd, selected, onToggle }: TrackTableProps) {
  const { t } = useTranslation()
  const columns = [useSelectColumn(selected, onToggle), ...useTrackColumns(useTrackState(eventId, rows))]
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
