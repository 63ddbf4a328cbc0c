import { useMemo, useSyncExternalStore } from 'react'
import type { SharedTrack } from '../../../src/tracks/schemas/track-summaries.ts'
import { createLiveStore, type LiveSnapshot } from './live-store.ts'

/** Follows the tracks of a stream of server-sent events. */
export function useLiveTracks<Track extends SharedTrack>(address: string): LiveSnapshot<Track> {
  const store = useMemo(() => createLiveStore<Track>(address), [address])
  return useSyncExternalStore(store.subscribe, store.getSnapshot)
}
