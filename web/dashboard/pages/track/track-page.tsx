import { Breadcrumbs, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../../ui/page-title.tsx'
import { type OperatorTrack, seriesQuery, trackQuery } from '../../api/tracks.ts'
import { Loaded } from '../../feedback/loaded.tsx'
import { LoadedPage } from '../../feedback/loaded-page.tsx'
import { useFormat } from '../../i18n/format.ts'
import { AnchorLink } from '../../navigation/links.tsx'
import { paths, routeIds } from '../../navigation/paths.ts'
import { StateBadge } from '../../tracks/state-badge.tsx'
import { TrackView } from '../../tracks/track-view.tsx'
import { Pauses } from './pauses.tsx'
import { PointsLeftOut } from './points-left-out.tsx'
import { RawPoints } from './raw-points.tsx'
import { Splits } from './splits.tsx'
import { Statistics } from './statistics.tsx'
import { TrackActions } from './track-actions.tsx'

/** Refetch interval of a track in progress. */
const REFRESH_MS = 10_000

/** Everything about one track. */
export function TrackPage() {
  const { trackId } = useParams({ from: routeIds.track })
  const track = useQuery({
    ...trackQuery(trackId),
    refetchInterval: ({ state }) => (state.data?.state === 'stopped' ? false : REFRESH_MS),
  })
  return <LoadedPage query={track}>{(found) => <TrackContent track={found} />}</LoadedPage>
}

function TrackContent({ track }: { track: OperatorTrack }) {
  const series = useQuery({
    ...seriesQuery(track.id),
    refetchInterval: track.state === 'stopped' ? false : REFRESH_MS,
  })
  return (
    <>
      <TrackHead track={track} />
      <Loaded query={series}>
        {(found) => (
          <TrackView
            series={found}
            isUnderWay={track.state !== 'stopped'}
            maxSpeedMps={track.stats.max_speed_mps ?? undefined}
          />
        )}
      </Loaded>
      <Statistics track={track} />
      <Splits trackId={track.id} isUnderWay={track.state !== 'stopped'} />
      <Pauses pauses={track.pauses} />
      <PointsLeftOut track={track} />
      <RawPoints trackId={track.id} />
    </>
  )
}

function TrackHead({ track }: { track: OperatorTrack }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Stack gap="xs">
      <Breadcrumbs>
        <AnchorLink to={paths.events} size="sm">
          {t('nav.events')}
        </AnchorLink>
        <AnchorLink to={paths.eventTracks} params={{ eventId: track.event.id }} size="sm">
          {track.event.name}
        </AnchorLink>
      </Breadcrumbs>
      <Group justify="space-between">
        <PageTitle title={track.title} />
        <TrackActions track={track} />
      </Group>
      <Group gap="sm">
        <StateBadge state={track.state} />
        <Text c="dimmed" size="sm">
          {[
            t(`activity.${track.activity_type}`),
            format.dateTime(track.start_ts),
            ...(track.user_id === null ? [] : [track.user_id]),
            track.device_track_id,
          ].join(' · ')}
        </Text>
      </Group>
    </Stack>
  )
}
