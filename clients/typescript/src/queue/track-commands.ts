import { cleanPoint } from './clean-point.ts'
import { type KnownTracks, noSuchTrack } from './known-tracks.ts'
import { newId } from './new-id.ts'
import { stored } from './queue-storage-error.ts'
import { type Entry, entryChange, type StoredQueue, trackChange } from './stored-queue.ts'
import type { FieldError, PointInput, StoredPoint, TrackChanges, TrackFields } from './wire.ts'

/** Result of adding points. `rejected` points are not in the queue, because the server would refuse them. */
export type AddReceipt = { queued: number; rejected: { index: number; errors: FieldError[] }[] }

type Deps = {
  queue: StoredQueue
  known: KnownTracks
  /** Returns what is wrong with a cleaned point. */
  checkPoint: (point: StoredPoint) => FieldError[]
  /** Called when there is something new to send; `isUrgent` if no more of it is to be expected. */
  onAdded: (isUrgent: boolean) => void
}

/** Points in one entry: an entry is rewritten as a whole when a part of it has been sent. */
const POINTS_PER_ENTRY = 500
/** Finished tracks that are remembered, for points that come late. */
const REMEMBERED_TRACKS = 50
/** The limit of the API, in code points. */
const LONGEST_DEVICE_TRACK_ID = 100

/** The calls with which an app fills the queue. Each resolves once what it adds survives a crash. */
export type TrackCommands = ReturnType<typeof createTrackCommands>

/** Creates the commands. All of them reject with QueueStorageError if the storage fails. */
export function createTrackCommands(deps: Deps) {
  const { queue, known, checkPoint, onAdded } = deps

  async function append(deviceTrackId: string, entries: Entry[], isUrgent: boolean): Promise<void> {
    const { number } = await known.get(deviceTrackId)
    const isAdded = entries.length === 0 || (await stored(queue.addEntries(number, entries)))
    if (!isAdded) throw noSuchTrack(deviceTrackId)
    onAdded(isUrgent)
  }

  return {
    /**
     * Adds a new track. Without a `start_ts`, it starts when the server hears of it.
     * @param deviceTrackId the app's own id, unique within the event; a UUID by default
     * @returns the id by which all other calls name the track
     */
    createTrack: (fields: TrackFields = {}, deviceTrackId: string = newId()) => addTrack(deps, fields, deviceTrackId),

    /**
     * Adds points, all or none of those that are valid. Numbers that say "unknown", such as −1, are left out. Points
     * that are equal in every field count as one.
     */
    async addPoints(deviceTrackId: string, points: readonly PointInput[]): Promise<AddReceipt> {
      const rejected: AddReceipt['rejected'] = []
      const valid: StoredPoint[] = []
      for (const [index, point] of points.entries()) {
        const cleaned = cleanPoint(point)
        const errors = checkPoint(cleaned)
        if (errors.length > 0) rejected.push({ index, errors })
        else valid.push(cleaned)
      }
      const entries: Entry[] = []
      for (let at = 0; at < valid.length; at += POINTS_PER_ENTRY) {
        entries.push({ points: valid.slice(at, at + POINTS_PER_ENTRY) })
      }
      await append(deviceTrackId, entries, false)
      return { queued: valid.length, rejected }
    },

    /** Changes title, state or end of a track, after everything that was added before. */
    updateTrack: (deviceTrackId: string, changes: TrackChanges) =>
      append(deviceTrackId, [{ update: JSON.stringify(changes) }], true),

    /** Finishes a track. Points that are added later count as well. */
    finishTrack: (deviceTrackId: string) => append(deviceTrackId, [{ finish: true }], true),
  }
}

async function addTrack({ queue, onAdded }: Deps, fields: TrackFields, deviceTrackId: string): Promise<string> {
  const length = [...deviceTrackId].length
  if (length < 1 || length > LONGEST_DEVICE_TRACK_ID) throw new RangeError('A device_track_id has 1 to 100 characters.')
  const tracks = await stored(queue.tracks())
  if (tracks.some(({ value }) => value.deviceTrackId === deviceTrackId)) return deviceTrackId
  const create = JSON.stringify({ ...fields, device_track_id: deviceTrackId })
  const entry: Entry = { create, idempotencyKey: newId() }
  await stored(queue.add(2, (first) => [trackChange(first, { deviceTrackId }), entryChange(first, first + 1, entry)]))
  if (tracks.length > REMEMBERED_TRACKS) await stored(forgetOldTracks(queue))
  onAdded(true)
  return deviceTrackId
}

async function forgetOldTracks(queue: StoredQueue): Promise<void> {
  const finished = (await queue.tracks()).filter(({ value }) => value.isFinished)
  for (const { number } of finished.slice(0, -REMEMBERED_TRACKS)) await queue.removeTrack(number, true)
}
