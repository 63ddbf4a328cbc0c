import { Checkbox, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Column } from '../../ui/virtual-table.tsx'
import { Ago } from '../components/ago.tsx'
import { AnchorLink } from '../components/links.tsx'
import { paths } from '../components/paths.ts'
import type { TrackSummary } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'

/** The window widths from which columns are shown; a track's own page shows all values. */
const ROOMS = { some: '(min-width: 48em)', more: '(min-width: 72em)', much: '(min-width: 88em)' } as const

type Room = keyof typeof ROOMS | undefined

/**
 * Returns the columns of a list of tracks that fit into the window. The ids of sortable columns are the server's names
 * of the orders. `stateOf` renders the state of a track.
 */
export function useTrackColumns(stateOf: (track: TrackSummary) => ReactNode): Column<TrackSummary>[] {
  const has = { some: useRoom('some'), more: useRoom('more'), much: useRoom('much') }
  return useAllColumns(stateOf).filter(({ room }) => room === undefined || has[room])
}

function useRoom(room: keyof typeof ROOMS): boolean {
  return useMediaQuery(ROOMS[room], true, { getInitialValueInEffect: false })
}

/** Returns the column whose boxes select tracks to compare. */
export function useSelectColumn(
  selected: readonly TrackSummary[],
  onToggle: (track: TrackSummary) => void,
): Column<TrackSummary> {
  const { t } = useTranslation()
  const { trackName } = useFormat()
  return {
    id: 'compare',
    head: t('comparison.compare'),
    cell: (track) => (
      <Checkbox
        size="sm"
        aria-label={t('comparison.select', { name: trackName(track.name, track.start_ts) })}
        checked={selected.some(({ id }) => id === track.id)}
        onChange={() => onToggle(track)}
      />
    ),
  }
}

function useAllColumns(stateOf: (track: TrackSummary) => ReactNode): (Column<TrackSummary> & { room?: Room })[] {
  const { t } = useTranslation()
  const format = useFormat()
  return [
    { id: 'title', head: t('field.name'), sort: 'asc', cell: (track) => <Title track={track} /> },
    { id: 'state', head: t('field.state'), cell: stateOf },
    {
      id: 'activity',
      head: t('tracks.activity'),
      room: 'much',
      cell: (track) => t(`activity.${track.activity_type}`),
    },
    { id: 'user', head: t('tracks.participant'), room: 'some', cell: (track) => <Person userId={track.user_id} /> },
    {
      id: 'start',
      head: t('tracks.start'),
      sort: 'desc',
      room: 'some',
      cell: (track) => format.dateTime(track.start_ts),
    },
    {
      id: 'distance',
      head: t('tracks.distance'),
      sort: 'desc',
      isNumeric: true,
      cell: ({ stats }) => (stats === null ? '–' : format.distance(stats.distance_meters)),
    },
    {
      id: 'duration',
      head: t('tracks.duration'),
      sort: 'desc',
      isNumeric: true,
      room: 'some',
      cell: ({ stats }) => (stats === null ? '–' : format.duration(stats.duration_sec)),
    },
    {
      id: 'rate',
      head: t('tracks.rate'),
      room: 'much',
      cell: ({ stats, points_count, activity_type }) =>
        stats === null || points_count < 2 ? '–' : format.rate(activity_type, stats.mean_speed_mps),
    },
    {
      id: 'points',
      head: t('tracks.points'),
      sort: 'desc',
      isNumeric: true,
      room: 'much',
      cell: (track) => format.count(track.points_count),
    },
    {
      id: 'updated',
      head: t('field.updated'),
      sort: 'desc',
      room: 'more',
      cell: (track) => <Ago time={track.updated_at} />,
    },
  ]
}

function Title({ track }: { track: TrackSummary }) {
  const name = useFormat().trackName(track.name, track.start_ts)
  return (
    <AnchorLink to={paths.track} params={{ trackId: track.id }} size="sm" truncate display="block" title={name}>
      {name}
    </AnchorLink>
  )
}

function Person({ userId }: { userId: string | null }) {
  if (userId === null) return '–'
  return (
    <Text size="sm" maw={200} truncate title={userId}>
      {userId}
    </Text>
  )
}
