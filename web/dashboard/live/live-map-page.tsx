import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { DEFAULT_LOW_BATTERY_PERCENT, DEFAULT_NO_SIGNAL_AFTER_SEC } from '../../../src/tracks/model/event-rules.ts'
import { eventFrames } from '../api/addresses.ts'
import { fetchEarly } from '../api/early-answers.ts'
import { courseQuery, queryOf, replayQuery } from '../api/queries.ts'
import { AnchorLink } from '../components/links.tsx'
import { paths, routeIds } from '../components/paths.ts'
import { LiveOrReplay } from '../events/event-layout.tsx'
import { FirstSteps, RemainingSteps } from '../events/first-steps.tsx'
import {
  getSessionQueryKey,
  operatorGetEventOptions,
  operatorGetRankingOptions,
  operatorGetSeriesOptions,
  operatorListCheckpointsOptions,
} from '../generated/@tanstack/react-query.gen.ts'
import { operatorListTracks } from '../generated/sdk.gen.ts'
import type { TrackSummary } from '../generated/types.gen.ts'
import { RunnerPassings } from '../race/runner-passings.tsx'
import { EventStatus } from './event-status.tsx'
import { type LiveSource, useLiveTracks } from './live-store.ts'
import { LiveView } from './live-view.tsx'

/** Interval at which the places of the runners are asked for again. */
const RANKING_MS = 5000

/** The live map of an event. */
export function LiveMapPage() {
  const { eventId } = useParams({ from: routeIds.event })
  const source = useMemo(() => sourceOf(eventId), [eventId])
  const live = useLiveTracks(source)
  const event = useQuery(operatorGetEventOptions({ path: { id: eventId } }))
  const { course, ranking } = useRace(eventId)
  const client = useQueryClient()
  useEffect(() => {
    // The usual reason is that the session has ended.
    if (live.state === 'closed') void client.invalidateQueries({ queryKey: getSessionQueryKey() })
  }, [live.state, client])

  if (live.state === 'live' && live.tracks.byId.size === 0) return <FirstSteps eventId={eventId} />
  return (
    <div className="event-live">
      <LiveView
        live={live}
        noSignalAfterSec={event.data?.no_signal_after_sec ?? DEFAULT_NO_SIGNAL_AFTER_SEC}
        lowBatteryPercent={event.data?.low_battery_percent ?? DEFAULT_LOW_BATTERY_PERCENT}
        lineQuery={lineQuery}
        linesQuery={queryOf(replayQuery(eventId))}
        rankingQuery={queryOf(operatorGetRankingOptions({ path: { id: eventId } }))}
        course={course}
        head={
          <>
            <LiveOrReplay eventId={eventId} />
            <EventStatus live={live} />
            <RemainingSteps eventId={eventId} />
          </>
        }
        more={(track) => (
          <>
            <RunnerPassings ranking={ranking.data} trackId={track.id} />
            <ToTrack track={track} />
          </>
        )}
      />
    </div>
  )
}

/** The course and the ranking of an event that has a race. */
function useRace(eventId: string) {
  const line = useQuery(courseQuery(eventId)).data?.line
  const hasCourse = line !== undefined
  const checkpoints = useQuery({
    ...operatorListCheckpointsOptions({ path: { id: eventId } }),
    select: ({ checkpoints }) => checkpoints,
    enabled: hasCourse,
  }).data
  const ranking = useQuery({
    ...operatorGetRankingOptions({ path: { id: eventId } }),
    enabled: hasCourse,
    refetchInterval: RANKING_MS,
  })
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

function sourceOf(id: string): LiveSource<TrackSummary> {
  const list: LiveSource<TrackSummary>['list'] = (query, signal) => operatorListTracks({ path: { id }, query, signal })
  return { framesUrl: eventFrames(id), list, fetch: fetchEarly }
}

function lineQuery(id: string) {
  return queryOf(operatorGetSeriesOptions({ path: { id } }))
}
