import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { replayQuery } from '../../api/replays.ts'
import { Loaded } from '../../feedback/loaded.tsx'
import { routeIds } from '../../navigation/paths.ts'
import { ReplayView } from '../../replay/replay-view.tsx'

/** The replay of an event. */
export function ReplayPage() {
  const { eventId } = useParams({ from: routeIds.event })
  const replay = useQuery(replayQuery(eventId))
  return (
    <Loaded query={replay}>{(found) => <ReplayView replay={found} onReload={() => void replay.refetch()} />}</Loaded>
  )
}
