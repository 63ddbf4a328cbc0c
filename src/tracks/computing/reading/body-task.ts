import { hash } from 'node:crypto'
import { AppError, type FieldError, payloadTooLarge } from '#platform/errors.ts'
import { parseJson } from '#platform/http/json/parse-json.ts'
import { FEW_FIELDS } from '#platform/http/json/parse-json-limits.ts'
import { NONE_REJECTED, type RejectedPoints, removeUnknown } from '../../points/check-leniently.ts'
import type { Handling } from '../../points/check-point.ts'
import type { PointColumns } from '../../points/point-columns.ts'
import { sortPoints } from '../../points/point-order.ts'
import type { PhoneRequest } from '../../wire/apps/phone-fix.ts'
import { type PhoneAppName, type PhoneBatch, readPhoneBatch } from '../../wire/apps/read-phone-batch.ts'
import { readPointsBody, readPointsLeniently } from '../../wire/read/read-points-body.ts'
import { readSyncBody, type SyncCreate } from '../../wire/read/read-sync-body.ts'

/** A body to read that may take too long for the thread that answers requests. */
export type BodyTask = (
  | { kind: 'points' | 'sync'; maxPoints: number; handling: Handling }
  | ({ kind: 'phone'; app: PhoneAppName } & Omit<PhoneRequest, 'body'>)
) & { body: Uint8Array }

/** The contents of a body. */
export type BodyRead = PointsRead | SyncRead | PhoneBatch

/** An error as data, since an `AppError` loses its class on its way between threads. */
export type Refusal = { code: string; status: number; message: string; errors?: FieldError[] }

/** The points of a body in canonical order, and those that the lenient handling left out. */
export type PointsRead = { points: PointColumns; rejected: RejectedPoints }

/** The body of a full sync with its points in canonical order, and the digest by which a repeated request is known. */
export type SyncRead = SyncCreate & { bodySha256: string }

/** Largest `track` and `stats` of a sync, as for any JSON without points. */
const MAX_FRAME_BYTES = 1_048_576

/** Runs a task. Returns a refusal instead of throwing it. */
export function runBodyTask(task: BodyTask): BodyRead | { refusal: Refusal } {
  try {
    return readTask(task)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, status, message, options } = error
    return { refusal: { code, status, message, errors: options.errors } }
  }
}

function readTask(task: BodyTask): BodyRead {
  const body = Buffer.from(task.body.buffer, task.body.byteOffset, task.body.length)
  switch (task.kind) {
    case 'points':
      return readPoints(body, task.maxPoints, task.handling)
    case 'sync':
      return readSync(body, task.maxPoints, task.handling)
    case 'phone':
      return readPhoneBatch(task.app, { ...task, body })
  }
}

/** Returns the points of a body in canonical order. */
export function readPoints(body: Buffer, maxPoints: number, handling: Handling): PointsRead {
  if (handling === 'strict') return { points: sortPoints(readPointsBody(body, maxPoints)), rejected: NONE_REJECTED }
  const { points, rejected } = readPointsLeniently(body, maxPoints)
  return { points: sortPoints(points), rejected }
}

/** Returns points that the scanner found valid. */
export function pointsOfScanned(points: PointColumns, handling: Handling): PointsRead {
  return { points: sortPoints(handling === 'lenient' ? removeUnknown(points) : points), rejected: NONE_REJECTED }
}

/** Returns a sync with its points in canonical order. Throws 413 if the rest of it is larger than 1 MiB. */
export function readSync(body: Buffer, maxPoints: number, handling: Handling): SyncRead {
  const sync = readSyncBody(body, maxPoints, handling)
  refuseLargeFrame(sync)
  return completeSync(sync, body)
}

/** Sorts the points of a sync, and adds the digest of its body. */
export function completeSync(sync: SyncCreate, body: Buffer): SyncRead {
  return { ...sync, points: sortPoints(sync.points), bodySha256: hash('sha256', body, 'hex') }
}

/** Applies the limits of ordinary bodies to what other threads have to copy and to check. */
function refuseLargeFrame({ track, stats }: SyncCreate): void {
  const frame = Buffer.from(JSON.stringify({ track, stats }))
  if (frame.length > MAX_FRAME_BYTES) throw payloadTooLarge({ detail: 'track and stats are larger than 1 MiB.' })
  parseJson(frame, FEW_FIELDS)
}
