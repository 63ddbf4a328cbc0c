import { useEffect } from 'react'
import { apiPaths } from '../dashboard/api/api-paths.ts'
import type { SharedTrack } from '../dashboard/api/shares.ts'
import type { LiveSnapshot } from '../dashboard/live/live-store.ts'
import { useLiveTracks } from '../dashboard/live/use-live-tracks.ts'

/** Statuses of a share that has ended or does not exist. */
const OVER = [404, 410]

/** Follows the tracks of a share. When it has ended, the page is loaded again: the server says why. */
export function useLiveShare(token: string): LiveSnapshot<SharedTrack> {
  const live = useLiveTracks<SharedTrack>(apiPaths.sharedLive(token))
  useEffect(() => {
    if (live.state === 'ended') location.reload()
    // A stream does not tell why it was refused.
    if (live.state === 'closed') void reloadIfOver(token)
  }, [live.state, token])
  return live
}

async function reloadIfOver(token: string): Promise<void> {
  try {
    const { status } = await fetch(apiPaths.shared(token))
    if (OVER.includes(status)) location.reload()
  } catch {
    // The stream tries again, and so does this.
  }
}
