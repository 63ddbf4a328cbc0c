import { stored } from './queue-storage-error.ts'
import type { Kept, StoredQueue, StoredTrack } from './stored-queue.ts'

/** Finds tracks by the app's id. */
export type KnownTracks = ReturnType<typeof createKnownTracks>

/** Makes the error of a call for a track that the queue does not have. */
export const noSuchTrack = (deviceTrackId: string) => new Error(`The queue has no track ${deviceTrackId}.`)

/** Creates the finder. Tracks keep their number, so that each is looked for once. */
export function createKnownTracks(queue: StoredQueue) {
  const numbers = new Map<string, number>()
  return {
    /** @throws Error if the queue has no such track, QueueStorageError */
    async get(deviceTrackId: string): Promise<Kept<StoredTrack>> {
      const known = numbers.get(deviceTrackId)
      const value = known === undefined ? undefined : await stored(queue.track(known))
      if (known !== undefined && value !== undefined) return { number: known, value }
      const track = (await stored(queue.tracks())).find((one) => one.value.deviceTrackId === deviceTrackId)
      if (track === undefined) throw noSuchTrack(deviceTrackId)
      numbers.set(deviceTrackId, track.number)
      return track
    },
  }
}
