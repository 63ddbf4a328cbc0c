import { useQuery } from '@tanstack/react-query'
import { sharedReplayQuery } from '../dashboard/api/queries.ts'
import { Loaded } from '../dashboard/components/feedback.tsx'
import { ReplayView } from '../dashboard/live/replay-view.tsx'
import type { Share, TabProps } from './share.ts'
import { start, useReady } from './start.tsx'

/** Shows this tab. */
export const show = (share: Share): Promise<void> => start(share, Tab)

/** The replay of a shared event. */
function Tab({ share: { token }, onReady }: TabProps) {
  const replay = useQuery(sharedReplayQuery(token))
  const isReady = replay.data !== undefined || replay.isError
  useReady(isReady, onReady)
  if (!isReady) return null
  return (
    <Loaded query={replay}>{(found) => <ReplayView replay={found} onReload={() => void replay.refetch()} />}</Loaded>
  )
}
