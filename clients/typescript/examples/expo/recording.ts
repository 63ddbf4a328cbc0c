import { openTrackQueue, type PointInput, type TrackQueue, type TrackQueueOptions } from '@trackpress/client'
import { type ExpoDatabase, expoSqliteStorage } from '@trackpress/client/expo-sqlite-storage'

/** The part of expo-location's `LocationObject` that is recorded. */
export type Location = {
  coords: {
    latitude: number
    longitude: number
    altitude: number | null
    accuracy: number | null
    speed: number | null
    heading: number | null
  }
  timestamp: number
}

/** Texts that survive a restart, such as `Storage` of expo-sqlite/kv-store. */
export type Settings = {
  getItem(key: string): Promise<string | null>
  setItem(key: string, value: string): Promise<void>
  removeItem(key: string): Promise<unknown>
}

/** A recording, which the app and its background task share. */
export type Recording = {
  queue: TrackQueue
  start(): Promise<void>
  /** Stores locations of the running track, and sends what it can before the system stops the task. */
  store(locations: readonly Location[]): Promise<void>
  finish(): Promise<void>
  isRunning(): Promise<boolean>
}

const CURRENT_TRACK = 'trackpress.track'

/** Opens the recording: the queue in a database of its own, and the running track in the app's settings. */
export async function openRecording(
  database: ExpoDatabase,
  settings: Settings,
  options: Omit<TrackQueueOptions, 'storage'>,
): Promise<Recording> {
  const queue = openTrackQueue({ ...options, storage: await expoSqliteStorage(database) })
  return {
    queue,
    async start() {
      if ((await settings.getItem(CURRENT_TRACK)) !== null) return
      const track = await queue.createTrack({ activity_type: 'walk', start_ts: new Date().toISOString() })
      await settings.setItem(CURRENT_TRACK, track)
    },
    async store(locations) {
      const track = await settings.getItem(CURRENT_TRACK)
      // The system may deliver the last locations after the finish.
      if (track === null) return
      await queue.addPoints(track, locations.map(toPoint))
      await queue.flush()
    },
    async finish() {
      const track = await settings.getItem(CURRENT_TRACK)
      if (track === null) return
      await queue.finishTrack(track)
      await settings.removeItem(CURRENT_TRACK)
    },
    isRunning: async () => (await settings.getItem(CURRENT_TRACK)) !== null,
  }
}

function toPoint({ coords, timestamp }: Location): PointInput {
  const { latitude, longitude, altitude, accuracy, speed, heading } = coords
  return { latitude, longitude, timestamp, altitude, accuracy, speed_mps: speed, heading, origin: 'native' }
}
