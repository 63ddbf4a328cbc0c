import { Breadcrumbs, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../../ui/page-title.tsx'
import { type OperatorTrack, seriesQuery, splitsQuery, trackQuery } from '../../api/tracks.ts'
import { Loaded } from '../../feedback/loaded.tsx'
import { LoadedPage } from '../../feedback/loaded-page.tsx'
import { useFormat } from '../../i18n/format.ts'
import { TimeZone } from '../../i18n/time-zone.ts'
import { AnchorLink } from '../../navigation/links.tsx'
import { paths, routeIds } from '../../navigation/paths.ts'
import { StateBadge } from '../../tracks/state-badge.tsx'
import { TrackView } from '../../tracks/track-view.tsx'
import { Pauses } from './pauses.tsx'
import { PointsLeftOut } from './points-left-out.tsx'
import { RawPoints } from './raw-points.tsx'
import { Statistics } from './statistics.tsx'
import { TrackActions } from './track-actions.tsx'
import { TrackHeadline, TrimmedNote } from './track-headline.tsx'

/** Refetch interval of a track in progress. */
const REFRESH_MS = 10_000

/** Everything about one track. */
export function TrackPage() {
  const { trackId } = useParams({ from: routeIds.track })
  const track = useQuery({
    ...trackQuery(trackId),
    refetchInterval: ({ state }) => (state.data?.state === 'stopped' ? false : REFRESH_MS),
  })
  return (
    <LoadedPage query={track}>
      {(found) => (
        <TimeZone value={found.event.effective_time_zone}>
          <TrackContent track={found} />
        </TimeZone>
      )}
    </LoadedPage>
  )
}

function TrackContent({ track }: { track: OperatorTrack }) {
  const { units } = useFormat()
  const refetchInterval = track.state === 'stopped' ? false : REFRESH_MS
  const series = useQuery({ ...seriesQuery(track.id), refetchInterval })
  const splits = useQuery({ ...splitsQuery(track.id, units.far), refetchInterval })
  return (
    <>
      <TrackHead track={track} />
      {track.points_count > 0 && <TrackHeadline track={track} />}
      <Loaded query={series}>
        {(found) => (
          <>
            <TrimmedNote track={track} series={found} />
            <TrackView
              series={found}
              splits={splits}
              activityType={track.activity_type}
              isUnderWay={track.state !== 'stopped'}
            />
          </>
        )}
      </Loaded>
      <Statistics track={track} />
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
        <AnchorLink to={paths.events} size="sm" activeOptions={{ exact: true }}>
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
        <Text c="dimmed" size="sm" style={{ overflowWrap: 'anywhere' }}>
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
