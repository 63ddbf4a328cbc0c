import type { Kysely } from 'kysely'
import { inTransaction } from '#platform/database/transaction.ts'
import type { TracksTables } from '../model/tables.ts'
import { wholeEvent } from '../model/track-rows.ts'
import { finishChange } from '../model/track-state.ts'
import type { TracksStore } from '../model/tracks-store.ts'
import type { Compactor } from '../points/storage/compactor.ts'
import type { PointsWriter } from '../points/storage/points-writer.ts'
import { createPhoneRecorder } from './phone-recorder.ts'
import {
  findOpenBefore,
  findQuiet,
  findRecording,
  forgetRecording,
  lockDevice,
  type PhoneDevice,
  type QuietRecording,
  updateRecording,
} from './store.ts'

type Options = {
  db: Kysely<TracksTables>
  tracks: TracksStore
  tracksIn(db: Kysely<TracksTables>): TracksStore
  points: PointsWriter
  compactor: Compactor
  phoneSilenceMs: number
  titleTimeZone: string
  now: () => number
}

/** Opens what records the points of the common apps, and the search for phones that have fallen silent. */
export function openPhones(options: Options) {
  const { compactor, phoneSilenceMs: silenceMs } = options
  const silent = createFinishSilent({ ...options, silenceMs, onFinished: (trackId) => compactor.add(trackId) })
  const recorder = createPhoneRecorder({ ...options, silenceMs, finishBefore: silent.finishBefore })
  return {
    record: recorder.record,
    /** Finishes tracks that are silent now. */
    finishSilent: silent.pass,
  }
}

/** Recordings in one pass; the next one takes the rest. */
const MAX_PER_PASS = 500

type Deps = {
  db: Kysely<TracksTables>
  /** Returns a store whose changes are part of a transaction. */
  tracksIn(db: Kysely<TracksTables>): TracksStore
  /** Called with each track that was finished. */
  onFinished(trackId: string): void
  silenceMs: number
  now: () => number
}

/** Finishes the tracks of phones from which no point has come for a while, by the points' own times. */
export function createFinishSilent(deps: Deps) {
  const { db, silenceMs, now } = deps

  async function finishEach(recordings: readonly QuietRecording[], beforeMs: number): Promise<void> {
    for (const recording of recordings) {
      if (await finishIfSilent(deps, recording, beforeMs)) deps.onFinished(recording.trackId)
    }
  }

  return {
    /** Finishes the open recordings of a device without a point since `beforeMs`. */
    async finishBefore(phone: PhoneDevice, beforeMs: number): Promise<void> {
      await finishEach(await findOpenBefore(db, phone, beforeMs), beforeMs)
    },

    /** Finishes recordings of all events that are silent now. */
    async pass(): Promise<void> {
      const beforeMs = now() - silenceMs
      await finishEach(await findQuiet(db, beforeMs, MAX_PER_PASS), beforeMs)
    },
  }
}

/** The lock keeps points away that would wake the recording meanwhile. Returns whether the track was finished. */
async function finishIfSilent(
  { db, tracksIn, now }: Deps,
  recording: QuietRecording,
  beforeMs: number,
): Promise<boolean> {
  return await inTransaction(db, async (transaction) => {
    const { eventId, trackId } = recording
    await lockDevice(transaction, recording)
    const current = await findRecording(transaction, recording)
    if (current === undefined) {
      await forgetRecording(transaction, eventId, trackId)
      return false
    }
    if (current.phase !== 'open') return false
    if (current.trackState === 'stopped') {
      await updateRecording(transaction, eventId, trackId, { phase: 'ended' })
      return false
    }
    if (current.lastMs >= beforeMs) {
      await updateRecording(transaction, eventId, trackId, { last_ms: current.lastMs })
      return false
    }
    let lastMs = current.lastMs
    await tracksIn(transaction).change(wholeEvent(eventId), trackId, (row) => {
      // A point of another way to the track, which takes no lock of the device, may have come since.
      lastMs = Math.max(lastMs, row.last_point_ms ?? lastMs)
      return lastMs < beforeMs ? finishChange(row, now()) : undefined
    })
    const isSilent = lastMs < beforeMs
    await updateRecording(transaction, eventId, trackId, { last_ms: lastMs, ...(isSilent && { phase: 'silent' }) })
    return isSilent
  })
}
