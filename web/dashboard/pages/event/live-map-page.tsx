import { Group, Stack } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { DEFAULT_LOW_BATTERY_PERCENT, DEFAULT_NO_SIGNAL_AFTER_SEC } from '../../../../src/tracks/domain/signal.ts'
import { apiPaths } from '../../api/api-paths.ts'
import { eventQuery } from '../../api/events.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { checkpointsQuery, courseQuery, rankingQuery } from '../../api/races.ts'
import { replayQuery } from '../../api/replays.ts'
import { seriesQuery, type TrackSummary } from '../../api/tracks.ts'
import { EventStatus } from '../../live/event-status.tsx'
import { LiveView } from '../../live/live-view.tsx'
import { useLiveTracks } from '../../live/use-live-tracks.ts'
import { AnchorLink } from '../../navigation/links.tsx'
import { paths, routeIds } from '../../navigation/paths.ts'
import { RunnerPassings } from '../../race/runner-passings.tsx'
import { FirstSteps } from './first-steps.tsx'

/** Interval at which the places of the runners are asked for again. */
const RANKING_MS = 5000

/** The live map of an event. */
export function LiveMapPage() {
  const { eventId } = useParams({ from: routeIds.event })
  const live = useLiveTracks<TrackSummary>(apiPaths.eventLive(eventId))
  const event = useQuery(eventQuery(eventId))
  const { course, ranking } = useRace(eventId)
  const client = useQueryClient()
  useEffect(() => {
    // A stream does not tell why it was refused. The usual reason is that the session has ended.
    if (live.state === 'closed') void client.invalidateQueries({ queryKey: queryKeys.session })
  }, [live.state, client])

  if (live.state === 'live' && live.tracks.byId.size === 0) return <FirstSteps eventId={eventId} />
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <EventStatus live={live} />
      </Group>
      <LiveView
        live={live}
        noSignalAfterSec={event.data?.no_signal_after_sec ?? DEFAULT_NO_SIGNAL_AFTER_SEC}
        lowBatteryPercent={event.data?.low_battery_percent ?? DEFAULT_LOW_BATTERY_PERCENT}
        lineQuery={seriesQuery}
        linesQuery={replayQuery(eventId)}
        rankingQuery={rankingQuery(eventId)}
        course={course}
        more={(track) => (
          <>
            <RunnerPassings ranking={ranking.data} trackId={track.id} />
            <ToTrack track={track} />
          </>
        )}
      />
    </Stack>
  )
}

/** The course and the ranking of an event that has a race. */
function useRace(eventId: string) {
  const line = useQuery(courseQuery(eventId)).data?.line
  const hasCourse = line !== undefined
  const checkpoints = useQuery({ ...checkpointsQuery(eventId), enabled: hasCourse }).data
  const ranking = useQuery({ ...rankingQuery(eventId), enabled: hasCourse, refetchInterval: RANKING_MS })
  const course = useMemo(
    () => (line === undefined || checkpoints === undefined ? undefined : { line, checkpoints }),
    [line, checkpoints],
  )
  return { course, ranking }
}

function ToTrack({ track }: { track: TrackSummary }) {
  const { t } = useTranslation()
  return (
    <AnchorLink to={paths.track} params={{ trackId: track.id }} size="sm">
      {t('live.toTrack')}
    </AnchorLink>
  )
}
