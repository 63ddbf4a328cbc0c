import { Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { createColumnHelper } from '@tanstack/react-table'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { tableOptions, VirtualColumns } from '../../../ui/virtual-table.tsx'
import type { TrackSummary } from '../../api/tracks.ts'
import { Ago } from '../../components/ago.tsx'
import { useFormat } from '../../i18n/format.ts'
import { AnchorLink } from '../../navigation/links.tsx'
import { paths } from '../../navigation/paths.ts'
import { StateBadge } from '../../tracks/state-badge.tsx'

const column = createColumnHelper<typeof tableOptions, TrackSummary>()

/** The window widths from which columns are shown; a track's own page shows all values. */
const ROOM: Record<string, 'some' | 'much'> = {
  user: 'some',
  start: 'some',
  duration: 'some',
  updated: 'some',
  activity: 'much',
  rate: 'much',
  points: 'much',
}

/**
 * Returns the columns of a list of tracks that fit into the window. The ids of sortable
 * columns are the server's names of the orders.
 */
export function useTrackColumns(): VirtualColumns<TrackSummary> {
  const hasSome = useMediaQuery('(min-width: 48em)', true, { getInitialValueInEffect: false })
  const hasMuch = useMediaQuery('(min-width: 88em)', true, { getInitialValueInEffect: false })
  const columns = useAllColumns()
  return useMemo(() => {
    const hasRoom = { some: hasSome, much: hasMuch }
    return columns.filter(({ id }) => {
      const room = id === undefined ? undefined : ROOM[id]
      return room === undefined || hasRoom[room]
    })
  }, [columns, hasSome, hasMuch])
}

function useAllColumns(): VirtualColumns<TrackSummary> {
  const { t } = useTranslation()
  const format = useFormat()
  return useMemo(
    () => [
      column.accessor('title', {
        header: t('field.title'),
        cell: ({ row: { original } }) => <Title track={original} />,
      }),
      column.accessor('state', {
        header: t('field.state'),
        enableSorting: false,
        cell: ({ row: { original } }) => <StateBadge state={original.state} />,
      }),
      column.accessor('activity_type', {
        id: 'activity',
        header: t('tracks.activity'),
        enableSorting: false,
        cell: ({ row: { original } }) => t(`activity.${original.activity_type}`),
      }),
      column.accessor('user_id', {
        id: 'user',
        header: t('tracks.user'),
        enableSorting: false,
        cell: ({ row: { original } }) => <Person userId={original.user_id} />,
      }),
      column.accessor('start_ts', {
        id: 'start',
        header: t('tracks.start'),
        sortDescFirst: true,
        cell: ({ row: { original } }) => format.dateTime(original.start_ts),
      }),
      column.accessor((track) => track.stats?.distance_meters, {
        id: 'distance',
        header: t('tracks.distance'),
        sortDescFirst: true,
        cell: ({ row: { original } }) =>
          original.stats === null ? '–' : format.distance(original.stats.distance_meters),
      }),
      column.accessor((track) => track.stats?.duration_sec, {
        id: 'duration',
        header: t('tracks.duration'),
        sortDescFirst: true,
        cell: ({ row: { original } }) => (original.stats === null ? '–' : format.duration(original.stats.duration_sec)),
      }),
      column.accessor((track) => track.stats?.mean_speed_mps, {
        id: 'rate',
        header: t('tracks.rate'),
        enableSorting: false,
        cell: ({ row: { original } }) =>
          original.stats === null || original.points_count < 2
            ? '–'
            : format.rate(original.activity_type, original.stats.mean_speed_mps),
      }),
      column.accessor('points_count', {
        id: 'points',
        header: t('tracks.points'),
        sortDescFirst: true,
        cell: ({ row: { original } }) => format.count(original.points_count),
      }),
      column.accessor('updated_at', {
        id: 'updated',
        header: t('field.updated'),
        sortDescFirst: true,
        cell: ({ row: { original } }) => <Ago time={original.updated_at} />,
      }),
    ],
    [t, format],
  )
}

function Title({ track }: { track: TrackSummary }) {
  return (
    <AnchorLink to={paths.track} params={{ trackId: track.id }} size="sm" truncate display="block" title={track.title}>
      {track.title}
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
