import { hash } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import { badRequest } from '#platform/basics/errors.ts'
import { formatDateTime } from '#platform/basics/time.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { newTrackRow } from '../api/create-track.ts'
import { trackNotFound } from '../model/errors.ts'
import { MAX_USER_ID_LENGTH } from '../model/event-rules.ts'
import type { TracksTables } from '../model/tables.ts'
import type { TrackScope } from '../model/track-rows.ts'
import { type TracksStore, updateTimes } from '../model/tracks-store.ts'
import { type PointColumns, sliceColumns } from '../points/point-columns.ts'
import type { AltitudeReference } from '../points/sea-level.ts'
import { type Compactor, MIN_UNCOMPACTED_CHUNKS } from '../points/storage/compactor.ts'
import type { PointsWriter } from '../points/storage/points-writer.ts'
import { findRecordings, insertRecording, lockDevice, type PhoneRecording, updateRecording } from './store.ts'

/** Attempts to store points whose track is deleted meanwhile. */
const MAX_ATTEMPTS = 3

type Deps = {
  db: Kysely<TracksTables>
  tracks: TracksStore
  points: PointsWriter
  compactor: Compactor
  /** Finishes the open recordings of a device that have no point since a time. */
  finishBefore(phone: SendingPhone, beforeMs: number): Promise<void>
  silenceMs: number
  titleTimeZone: string
  now: () => number
}

/** Stores the points of a device in its tracks. */
export type PhoneRecorder = ReturnType<typeof createPhoneRecorder>

/** Points and the track that they belong to. */
type TrackPart = { trackId: string; from: number; to: number }

export function createPhoneRecorder(deps: Deps) {
  const { points: writer, compactor, silenceMs } = deps

  async function append(phone: SendingPhone, points: PointColumns, { trackId, from, to }: TrackPart): Promise<number> {
    const receipt = await writer.append(phone, trackId, sliceColumns(points, from, to))
    if (receipt.uncompactedChunks >= MIN_UNCOMPACTED_CHUNKS) compactor.add(trackId)
    return receipt.addedCount
  }

  return {
    /**
     * Stores points, at least one and in canonical order, and returns how many of them are new. When it resolves, they
     * are on disk. A first point opens a track, and one after a silence another. Sent again, in any division, the
     * points find the tracks that they opened.
     * @throws tracksQuotaReached, trackFull, timestampFull, unavailable
     */
    async record(phone: SendingPhone, points: PointColumns): Promise<number> {
      let storedCount = 0
      for (let attempt = 1; ; attempt++) {
        const { parts, hasOpened } = await findTracks(deps, phone, points)
        try {
          for (const part of parts) storedCount += await append(phone, points, part)
        } catch (error) {
          // Deleted since its recording was read. The points stored in other tracks are known the next time.
          if (attempt < MAX_ATTEMPTS && trackNotFound.is(error)) continue
          throw error
        }
        if (hasOpened) await deps.finishBefore(phone, points.timeMs[points.count - 1] - silenceMs)
        return storedCount
      }
    },
  }
}

/** Returns the tracks of points. Nearly always they continue a track, and nothing needs to be locked or written. */
async function findTracks(deps: Deps, phone: SendingPhone, points: PointColumns) {
  const parts = await assign(deps.db, deps, phone, points)
  const isKnown = parts.every(
    ({ recording, from, to }) => recording !== undefined && !isChanged(recording, points, from, to),
  )
  if (isKnown) return { parts: parts.map((part) => ({ ...part, trackId: part.recording!.trackId })), hasOpened: false }
  const opened = await inTransaction(deps.db, async (transaction) => {
    await lockDevice(transaction, phone)
    const assigned = await assign(transaction, deps, phone, points)
    const tracks: TrackPart[] = []
    for (const part of assigned) tracks.push(await openPart(transaction, deps, phone, points, part))
    return tracks
  })
  return { parts: opened, hasOpened: true }
}

async function assign(
  db: Kysely<TracksTables>,
  { silenceMs }: Deps,
  phone: SendingPhone,
  { timeMs, count }: PointColumns,
): Promise<RecordingPart<PhoneRecording>[]> {
  const known = await findRecordings(db, phone, timeMs[0], timeMs[count - 1] + silenceMs)
  return assignToRecordings(timeMs, known, silenceMs)
}

/** Tells whether points begin a recording earlier, or wake one that was finished because none came. */
function isChanged({ firstMs, lastMs, phase }: PhoneRecording, { timeMs }: PointColumns, from: number, to: number) {
  return timeMs[from] < firstMs || (phase === 'silent' && timeMs[to - 1] > lastMs)
}

/**
 * Creates the track of a part or brings its recording up to date, in the transaction that holds the lock of the device.
 */
async function openPart(
  transaction: Transaction<TracksTables>,
  deps: Deps,
  phone: SendingPhone,
  points: PointColumns,
  { recording, from, to }: RecordingPart<PhoneRecording>,
): Promise<TrackPart> {
  const firstMs = points.timeMs[from]
  const lastMs = points.timeMs[to - 1]
  if (recording === undefined) {
    const trackId = await createTrack(transaction, deps, phone, firstMs)
    await insertRecording(transaction, phone, { trackId, firstMs, lastMs })
    return { trackId, from, to }
  }
  const { trackId } = recording
  if (isChanged(recording, points, from, to)) {
    const wakes = recording.phase === 'silent' && lastMs > recording.lastMs
    await updateTrack(transaction, deps, trackId, { firstMs, wakes })
    await updateRecording(transaction, phone.eventId, trackId, {
      first_ms: Math.min(recording.firstMs, firstMs),
      last_ms: Math.max(recording.lastMs, lastMs),
      ...(wakes && { phase: 'open' }),
    })
  }
  return { trackId, from, to }
}

async function createTrack(
  transaction: Transaction<TracksTables>,
  { tracks, titleTimeZone, now }: Deps,
  phone: SendingPhone,
  firstMs: number,
): Promise<string> {
  const { userId, app, deviceKey, deviceId, altitudeReference = null } = phone
  const startTs = formatDateTime(firstMs)
  const fields = {
    device_track_id: `${app}-${deviceKey.slice(0, 16)}-${startTs}`,
    user_id: userId ?? deviceId,
    start_ts: startTs,
    altitude_reference: altitudeReference,
  }
  const { row } = await tracks.create(transaction, phone, ({ time_zone }) => ({
    row: newTrackRow(fields, {
      scope: phone,
      nowMs: now(),
      titleTimeZone: time_zone ?? titleTimeZone,
      state: 'running',
    }),
  }))
  return row.id
}

/** Moves the start of a track to an earlier first point, and lets a track run again that silence had finished. */
async function updateTrack(
  transaction: Transaction<TracksTables>,
  { now }: Deps,
  trackId: string,
  { firstMs, wakes }: { firstMs: number; wakes: boolean },
): Promise<void> {
  const track = await transaction
    .selectFrom('tracks')
    .select(['start_ms', 'updated_at'])
    .where('id', '=', trackId)
    .forUpdate()
    .executeTakeFirst()
  if (track === undefined) return
  await transaction
    .updateTable('tracks')
    .set({
      start_ms: Math.min(track.start_ms, firstMs),
      ...(wakes && { state: 'running', end_ms: null }),
      ...updateTimes(track, now()),
    })
    .where('id', '=', trackId)
    .execute()
}

/** A device that sends points with a token, and the app on it. */
type SendingPhone = TrackScope & {
  app: string
  /** The device's own id, shortened to the length of a `user_id`; empty without one. */
  deviceId: string
  /** Digest of the person and the whole id. */
  deviceKey: string
  /** Zero of its altitudes; undefined if unknown. */
  altitudeReference?: AltitudeReference | undefined
}

/**
 * Returns the device of points. A token of one person needs no id of the device.
 * @throws badRequest if neither the token nor the app says whose points these are
 */
export function sendingPhone({ eventId, userId }: TrackScope, app: string, deviceId = ''): SendingPhone {
  if (userId === null && deviceId === '') {
    throw badRequest({
      detail:
        'Set an id of the device in the app, or use the token of a participant: all phones without an id look alike.',
    })
  }
  return {
    eventId,
    userId,
    app,
    deviceId: [...deviceId].slice(0, MAX_USER_ID_LENGTH).join(''),
    deviceKey: hash('sha256', JSON.stringify([userId, deviceId]), 'hex'),
  }
}

/** The part of a track that a device has recorded so far, by the times of its first and its last point. */
type RecordedTime = { firstMs: number; lastMs: number }

/** Consecutive points of a request and the recording that they belong to; undefined for a new one. */
type RecordingPart<Recording> = { recording: Recording | undefined; from: number; to: number }

/** Points from index `from` up to but not including `to`. */
type Run = { from: number; to: number }

/** A known recording as it grows by the points that are assigned to it. */
type Growing<Recording> = RecordedTime & { recording: Recording }

/**
 * Divides the points of a device among its recordings, by the points' own times: a point belongs to the recording
 * around it, else to the nearest one that it follows or precedes by at most `silenceMs`, and so do the points that lead
 * to it. Points that are near none begin a new recording, and a longer silence among them another one.
 * @param timesMs ascending
 * @param known the recordings near the points
 */
export function assignToRecordings<Recording extends RecordedTime>(
  timesMs: ArrayLike<number>,
  known: readonly Recording[],
  silenceMs: number,
): RecordingPart<Recording>[] {
  const growing = known.map((recording) => ({ recording, firstMs: recording.firstMs, lastMs: recording.lastMs }))
  return runsOf(timesMs, silenceMs).flatMap((run) => assignRun(timesMs, run, growing, silenceMs))
}

/** Cuts points where a silence separates them. */
function runsOf(timesMs: ArrayLike<number>, silenceMs: number): Run[] {
  const runs: Run[] = []
  for (let i = 0; i < timesMs.length; i++) {
    const last = runs.at(-1)
    if (last !== undefined && timesMs[i] - timesMs[i - 1] <= silenceMs) last.to = i + 1
    else runs.push({ from: i, to: i + 1 })
  }
  return runs
}

function assignRun<Recording>(
  timesMs: ArrayLike<number>,
  { from, to }: Run,
  growing: readonly Growing<Recording>[],
  silenceMs: number,
): RecordingPart<Recording>[] {
  let met = from
  while (met < to && nearest(growing, timesMs[met], silenceMs) === undefined) met++
  if (met === to) return [{ recording: undefined, from, to }]
  const parts: RecordingPart<Recording>[] = []
  for (let i = met; i < to; i++) {
    // After the first, each point follows one that has just been assigned.
    const owner = nearest(growing, timesMs[i], silenceMs)!
    owner.firstMs = Math.min(owner.firstMs, timesMs[i === met ? from : i])
    owner.lastMs = Math.max(owner.lastMs, timesMs[i])
    const last = parts.at(-1)
    if (last?.recording === owner.recording) last.to = i + 1
    else parts.push({ recording: owner.recording, from: i === met ? from : i, to: i + 1 })
  }
  return parts
}

/** Returns the recording nearest to a time; of several, the earliest. */
function nearest<Recording>(
  growing: readonly Growing<Recording>[],
  timeMs: number,
  silenceMs: number,
): Growing<Recording> | undefined {
  let found: Growing<Recording> | undefined
  let foundMs = Number.POSITIVE_INFINITY
  for (const one of growing) {
    const distanceMs = Math.max(0, one.firstMs - timeMs, timeMs - one.lastMs)
    if (distanceMs <= silenceMs && distanceMs < foundMs) {
      found = one
      foundMs = distanceMs
    }
  }
  return found
}
