import { Breadcrumbs, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../ui/titles.tsx'
import { Loaded } from '../components/feedback.tsx'
import { AnchorLink } from '../components/links.tsx'
import { LoadedPage } from '../components/page-states.tsx'
import { paths, routeIds } from '../components/paths.ts'
import {
  operatorGetSeriesOptions,
  operatorGetSplitsOptions,
  operatorGetTrackOptions,
} from '../generated/@tanstack/react-query.gen.ts'
import type { OperatorTrack, TrackSeries } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { TimeZone } from '../i18n/time-zone.ts'
import { Headline, useHeadlineFigures } from './headline.tsx'
import { Pauses } from './pauses.tsx'
import { RawPoints } from './raw-points.tsx'
import { FigureOrigin, PointsLeftOut, Statistics, shownStats } from './statistics.tsx'
import { TrackActions } from './track-actions.tsx'
import { CompareWith } from './track-choice.tsx'
import { useTrackState } from './track-status.tsx'
import { TrackView } from './track-view.tsx'

/** Refetch interval of a track in progress. */
const REFRESH_MS = 10_000

/** Everything about one track. */
export function TrackPage() {
  const { trackId } = useParams({ from: routeIds.track })
  const track = useQuery({
    ...operatorGetTrackOptions({ path: { id: trackId } }),
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
  const series = useQuery({ ...operatorGetSeriesOptions({ path: { id: track.id } }), refetchInterval })
  const splits = useQuery({
    ...operatorGetSplitsOptions({ path: { id: track.id }, query: { unit: units.far } }),
    select: ({ splits }) => splits,
    refetchInterval,
  })
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
      <Pauses pauses={track.pauses} stops={series.data?.stops ?? []} />
      <PointsLeftOut track={track} />
      <RawPoints trackId={track.id} />
    </>
  )
}

function TrackHead({ track }: { track: OperatorTrack }) {
  const { t } = useTranslation()
  const format = useFormat()
  const badgeOf = useTrackState(track.event.id, [track])
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
        <PageTitle title={format.trackName(track.name, track.start_ts)} />
        <Group gap="xs">
          <CompareWith track={track} />
          <TrackActions track={track} />
        </Group>
      </Group>
      <Group gap="sm">
        {badgeOf(track)}
        <Text c="dimmed" size="sm" style={{ overflowWrap: 'anywhere' }}>
          {[
            ...(track.name === track.title ? [] : [format.trackName(track.title, track.start_ts)]),
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

/** The headline of a track, with the origin of each figure. */
function TrackHeadline({ track }: { track: OperatorTrack }) {
  const { t } = useTranslation()
  const stats = shownStats(track)
  const figures = useHeadlineFigures({
    activityType: track.activity_type,
    pointsCount: stats.points_count,
    hasAltitudes: stats.max_altitude_m !== undefined,
    stats,
  })
  return (
    <Headline
      label={t('headline.title')}
      figures={figures}
      about={({ name, title }) => (
        <FigureOrigin label={title} provenance={track.provenance.find(({ statistic }) => statistic === name)} />
      )}
    />
  )
}

/** Says which part of a trimmed track is shown, and how much there is in all. */
function TrimmedNote({ track, series }: { track: OperatorTrack; series: TrackSeries }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [first, last] = [series.time_ms.at(0), series.time_ms.at(-1)]
  if (track.shown_stats === undefined || first === undefined || last === undefined) return null
  return (
    <Text size="sm">
      {t('track.trimmed', { from: format.dateTime(first), to: format.dateTime(last) })}{' '}
      {t('track.wholeRecording', {
        distance: format.distance(track.stats.distance_meters),
        duration: format.duration(track.stats.duration_sec),
      })}
    </Text>
  )
}
