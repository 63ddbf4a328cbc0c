import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { replayQuery } from '../api/queries.ts'
import { Loaded } from '../components/feedback.tsx'
import { routeIds } from '../components/paths.ts'
import { ReplayView } from './replay-view.tsx'

/** The replay of an event. */
export function ReplayPage() {
  const { eventId } = useParams({ from: routeIds.event })
  const replay = useQuery(replayQuery(eventId))
  return (
    <Loaded query={replay}>{(found) => <ReplayView replay={found} onReload={() => void replay.refetch()} />}</Loaded>
  )
}
