import { Breadcrumbs, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PointValues } from '../../../src/tracks/points/point-columns.ts'
import { VALUE_FIELDS } from '../../../src/tracks/points/point-fields.ts'
import { PageTitle } from '../../ui/titles.tsx'
import { VirtualTable } from '../../ui/virtual-table.tsx'
import { rawPointsQuery } from '../api/queries.ts'
import { Loaded } from '../components/feedback.tsx'
import { AnchorLink } from '../components/links.tsx'
import { usePages } from '../components/lists.tsx'
import { LoadedPage } from '../components/page-frames.tsx'
import { paths, routeIds } from '../components/paths.ts'
import {
  operatorGetSeriesOptions,
  operatorGetSplitsOptions,
  operatorGetTrackOptions,
} from '../generated/@tanstack/react-query.gen.ts'
import type { OperatorTrack, RawPoint, TrackSeries } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { TimeZone } from '../i18n/time-zone.ts'
import { Headline, useHeadlineFigures } from './headline.tsx'
import { FigureOrigin, PointsLeftOut, Statistics, shownStats } from './statistics.tsx'
import { TrackActions } from './track-actions.tsx'
import { CompareWith } from './track-choice.tsx'
import { useTrackState } from './track-status.tsx'
import { Pauses, TrackView } from './track-view.tsx'

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

const FIELDS = VALUE_FIELDS.map(({ key }) => key as keyof PointValues)

/** The points as they were sent, loaded on demand. */
function RawPoints({ trackId }: { trackId: string }) {
  const { t } = useTranslation()
  const [shown, setShown] = useState(false)
  return (
    <div>
      <Title order={2} mb="sm">
        {t('points.title')}
      </Title>
      {shown ? (
        <PointTable trackId={trackId} />
      ) : (
        <Button variant="default" onClick={() => setShown(true)}>
          {t('points.show')}
        </Button>
      )}
    </div>
  )
}

function PointTable({ trackId }: { trackId: string }) {
  const { t } = useTranslation()
  const query = useInfiniteQuery(rawPointsQuery(trackId))
  const { rows, total, onEnd } = usePages(query, ({ points }) => points)
  const format = useFormat()
  return (
    <Loaded query={query}>
      {() => (
        <>
          <VirtualTable
            label={t('points.title')}
            columns={[
              { id: 'index', head: '#', cell: ({ index }) => index + 1 },
              { id: 'timestamp', head: t('points.time'), cell: ({ timestamp }) => timestamp },
              ...FIELDS.map((id) => ({ id, head: t(`points.${id}`), cell: (point: RawPoint) => point[id] ?? '–' })),
              {
                id: 'left_out',
                head: t('points.leftOut'),
                cell: ({ left_out }) => (left_out === null ? '' : t(`reason.${left_out}`)),
              },
            ]}
            rows={rows}
            total={total}
            rowId={({ index }) => String(index)}
            onEnd={onEnd}
            heightPx={480}
            minWidthPx={900}
          />
          <Text size="sm" c="dimmed" mt="xs" role="status">
            {t('points.count', { count: total, shown: format.count(rows.length), total: format.count(total) })}
          </Text>
        </>
      )}
    </Loaded>
  )
}
