import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Loaded } from '../dashboard/components/feedback.tsx'
import { getSharedSeriesOptions, getSharedSplitsOptions } from '../dashboard/generated/@tanstack/react-query.gen.ts'
import type { SharedTrack } from '../dashboard/generated/types.gen.ts'
import { useFormat } from '../dashboard/i18n/format.ts'
import { Headline, StateBadge, useHeadlineFigures } from '../dashboard/tracks/headline.tsx'
import { Pauses, TrackView } from '../dashboard/tracks/track-view.tsx'
import { Status, useLiveShare } from './live-share.tsx'
import type { Share, TabProps } from './share.ts'
import { start, useReady } from './start.tsx'

/** Shows this tab. */
export const show = (share: Share): Promise<void> => start(share, Tab)

/** A shared track: its date and figures, its line on a map, its profile and splits, live while it is in progress. */
function Tab({ share: { token, view }, onReady }: TabProps) {
  const live = useLiveShare(token)
  const { look } = live
  useEffect(() => look([], view.track_id!), [look, view.track_id])
  const track = live.tracks.byId.get(view.track_id!)?.track
  return (
    <>
      <Status live={live} isOver={track?.state === 'stopped' && live.state === 'live'} />
      {track !== undefined && <SharedTrackView token={token} track={track} onReady={onReady} />}
    </>
  )
}

/** Refetch interval of the line and the splits of a track in progress. */
const REFRESH_MS = 4000

type SharedTrackViewProps = {
  token: string
  track: SharedTrack
  /** Called once the line is there. Until then, the page shows something else. */
  onReady(): void
}

/** A track as spectators see it: its date, headline, map, profile and splits. */
function SharedTrackView({ token, track, onReady }: SharedTrackViewProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const isUnderWay = track.state !== 'stopped'
  const refetchInterval = isUnderWay ? REFRESH_MS : false
  const series = useQuery({ ...getSharedSeriesOptions({ path: { token, id: track.id } }), refetchInterval })
  const splits = useQuery({
    ...getSharedSplitsOptions({ path: { token, id: track.id }, query: { unit: format.units.far } }),
    select: ({ splits }) => splits,
    refetchInterval,
  })
  // Splits that came later would take their room from the map.
  const isReady = series.data !== undefined && !splits.isPending
  useReady(isReady, onReady)
  if (series.isPending || splits.isPending) return null
  return (
    <Stack gap="md">
      <Group gap="sm">
        <StateBadge state={track.state} />
        <Text size="sm">
          {t(`activity.${track.activity_type}`)} · {format.dateTime(track.start_ts)}
        </Text>
      </Group>
      <Loaded query={series}>
        {(found) => (
          <>
            {track.points_count > 0 && (
              <SharedHeadline track={track} hasAltitudes={found.extremes.max_altitude_m !== undefined} />
            )}
            <TrackView series={found} splits={splits} activityType={track.activity_type} isUnderWay={isUnderWay} />
            <Pauses pauses={[]} stops={found.stops} />
          </>
        )}
      </Loaded>
    </Stack>
  )
}

function SharedHeadline({ track, hasAltitudes }: { track: SharedTrack; hasAltitudes: boolean }) {
  const { t } = useTranslation()
  const { activity_type: activityType, points_count: pointsCount, stats } = track
  const figures = useHeadlineFigures({ activityType, pointsCount, hasAltitudes, stats: stats ?? NOTHING_YET })
  return stats === null ? null : <Headline label={t('headline.title')} figures={figures} />
}

const NOTHING_YET = { distance_meters: 0, duration_sec: 0, elevation_gain_m: 0, mean_speed_mps: 0 }
