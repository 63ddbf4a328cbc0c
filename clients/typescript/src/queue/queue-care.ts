import type { KnownTracks } from './known-tracks.ts'
import { stored } from './queue-storage-error.ts'
import { asideChange, type SetAside, type StoredQueue, type StoredTrack } from './stored-queue.ts'

/** A track, and what of it waits. */
export type TrackStatus = StoredTrack & { unsentPoints: number; unsentRequests: number }

type Deps = { queue: StoredQueue; known: KnownTracks; onAdded: (isUrgent: boolean) => void }

/** The calls with which an app shows and mends the queue. */
export type QueueCare = ReturnType<typeof createQueueCare>

/** Creates the calls. All of them reject with QueueStorageError if the storage fails. */
export function createQueueCare({ queue, known, onAdded }: Deps) {
  return {
    /** Returns the tracks of the queue, oldest first: those that wait, and finished ones that may get more points. */
    async tracks(): Promise<TrackStatus[]> {
      const all: TrackStatus[] = []
      for (const { number, value } of await stored(queue.tracks())) {
        const status = { ...value, unsentPoints: 0, unsentRequests: 0 }
        await queue.eachEntry(number, ({ value: entry }) => {
          if ('points' in entry) status.unsentPoints += entry.points.length
          else status.unsentRequests++
          return false
        })
        all.push(status)
      }
      return all
    },

    /** Sends a held track again. */
    async retryTrack(deviceTrackId: string): Promise<void> {
      const { number } = await known.get(deviceTrackId)
      await stored(queue.changeTrack(number, ({ held: _, ...rest }) => rest))
      onAdded(true)
    },

    /**
     * Removes a track and all that waits of it from the queue. The server keeps what it has, and what a request that is
     * under way brings.
     */
    async discardTrack(deviceTrackId: string): Promise<void> {
      const { number } = await known.get(deviceTrackId)
      await stored(queue.removeTrack(number))
    },

    /** Returns what the server has refused, oldest first. */
    async setAside(): Promise<({ number: number } & SetAside)[]> {
      return (await stored(queue.setAside())).map(({ number, value }) => ({ number, ...value }))
    },

    /** Removes something that was set aside. */
    async discardSetAside(number: number): Promise<void> {
      await stored(queue.write([asideChange(number, null)]))
    },
  }
}
