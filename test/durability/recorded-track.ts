import type { WirePoint } from '../support/make-points.ts'

/** A request with points of a track: their indexes, and the acknowledgement. */
export type Batch = { indexes: readonly number[]; isAcknowledged: boolean }

/** The phones' knowledge of a track: everything sent and everything acknowledged. */
export type RecordedTrack = {
  number: number
  /** The request that creates the track, kept for repetition. */
  path: '/tracks' | '/sync'
  deviceTrackId: string
  idempotencyKey: string | undefined
  /** Undefined until the server has acknowledged it. */
  id: string | undefined
  batches: Batch[]
  /** Recorded points to be sent later, out of order. */
  heldBack: number[][]
  /** Index of the next point to record. */
  next: number
  /** The end time from an acknowledged finish. */
  endTs: string | undefined
}

/** All tracks of a test, from all rounds. */
export type Ledger = RecordedTrack[]

const FIRST_START_MS = Date.UTC(2026, 4, 3, 6)
const ACTIVITY_TYPES = ['run', 'walk', 'bike', 'hike']

/**
 * Generates the point with this index of a track, always the same and different from all others. Some share a time,
 * lack fields, or differ only in the last digit of a double.
 */
export function recordedPoint({ number }: { number: number }, index: number): WirePoint {
  const second = index % 8 === 7 ? index - 1 : index
  const point: WirePoint = {
    latitude: 40 + (number % 40) + index * 0.00001,
    longitude: 2.35 + Math.sin(index / 50) / 100,
    timestamp: new Date(FIRST_START_MS + number * 3_600_000 + second * 1000).toISOString(),
  }
  if (index % 3 !== 0) point.altitude = 200 + Math.sin(index / 90) * 60
  if (index % 5 !== 0) point.accuracy = 3 + (index % 11)
  if (index % 7 !== 0) point.speed_mps = 1 + (index % 13) / 10
  if (index % 4 === 0) point.heading = index % 360
  if (index % 6 === 0) point.battery = (100 - (index % 100)) / 100
  if (index % 2 === 0) point.origin = 'background'
  return point
}

export function pointsOf(track: RecordedTrack, indexes: readonly number[]): WirePoint[] {
  return indexes.map((index) => recordedPoint(track, index))
}

/** Builds the body of the request that creates the track. */
export function creationOf(track: RecordedTrack): object {
  const fields = { device_track_id: track.deviceTrackId, activity_type: ACTIVITY_TYPES[track.number % 4] }
  if (track.path === '/tracks') return fields
  return { track: fields, points: pointsOf(track, track.batches[0].indexes) }
}

export function keyHeader({ idempotencyKey }: RecordedTrack): Record<string, string> {
  return idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }
}

/** Counts how often each point must be stored after these batches: the highest count within any one batch. */
export function multiplicities(batches: readonly Batch[]): Map<number, number> {
  const most = new Map<number, number>()
  for (const { indexes } of batches) {
    const own = new Map<number, number>()
    for (const index of indexes) own.set(index, (own.get(index) ?? 0) + 1)
    for (const [index, count] of own) most.set(index, Math.max(count, most.get(index) ?? 0))
  }
  return most
}
