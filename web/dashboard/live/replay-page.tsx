import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { replayQuery } from '../api/queries.ts'
import { Loaded } from '../components/feedback.tsx'
import { routeIds } from '../components/paths.ts'
import { LiveOrReplay } from '../events/event-layout.tsx'
import { ReplayView } from './replay-view.tsx'

/** The replay of an event. */
export function ReplayPage() {
  const { eventId } = useParams({ from: routeIds.event })
  const replay = useQuery(replayQuery(eventId))
  return (
    <Stack gap="xs" className="event-live">
      <LiveOrReplay eventId={eventId} />
      <Loaded query={replay}>{(found) => <ReplayView replay={found} onReload={() => void replay.refetch()} />}</Loaded>
    </Stack>
  )
}
