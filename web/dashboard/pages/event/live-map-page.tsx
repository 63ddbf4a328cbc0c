import { Group, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { apiPaths } from '../../api/api-paths.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { seriesQuery, type TrackSummary } from '../../api/tracks.ts'
import { LiveStatus } from '../../live/live-status.tsx'
import { LiveView } from '../../live/live-view.tsx'
import { useLiveTracks } from '../../live/use-live-tracks.ts'
import { AnchorLink } from '../../navigation/links.tsx'
import { paths, routeIds } from '../../navigation/paths.ts'
import { LiveEmpty } from './live-empty.tsx'

/** The live map of an event. */
export function LiveMapPage() {
  const { eventId } = useParams({ from: routeIds.event })
  const live = useLiveTracks<TrackSummary>(apiPaths.eventLive(eventId))
  const client = useQueryClient()
  useEffect(() => {
    // A stream does not tell why it was refused. The usual reason is that the session has ended.
    if (live.state === 'closed') void client.invalidateQueries({ queryKey: queryKeys.session })
  }, [live.state, client])

  if (live.state === 'live' && live.tracks.byId.size === 0) return <LiveEmpty eventId={eventId} />
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <LiveStatus state={live.state} currentAtMs={live.currentAtMs} />
      </Group>
      <LiveView live={live} lineQuery={seriesQuery} more={(track) => <ToTrack track={track} />} />
    </Stack>
  )
}

function ToTrack({ track }: { track: TrackSummary }) {
  const { t } = useTranslation()
  return (
    <AnchorLink to={paths.track} params={{ trackId: track.id }} size="sm">
      {t('live.toTrack')}
    </AnchorLink>
  )
}
