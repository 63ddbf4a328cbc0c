import { Piscina } from 'piscina'
import { AppError, unavailable } from '#platform/errors.ts'
import { MAX_BUFFER_BYTES } from '#platform/http/bodies/body-buffer-pool.ts'
import type { Handling } from '../../points/check-point.ts'
import { syncOfScanned } from '../../wire/read/read-sync-body.ts'
import { type PointBatch, scanBody } from '../../wire/read/scan-body.ts'
import {
  type BodyTask,
  completeSync,
  type PointsRead,
  type Refusal,
  readPoints,
  readSync,
  type runBodyTask,
  type SyncRead,
} from './body-task.ts'

/** Longest body that is scanned in the thread that answers requests. 10,000 points have 1.8 MB and take 5 ms. */
const MAX_SCANNED_BYTES = 2 * 1_048_576

/** Longest body that is parsed there. Parsing takes up to 60 ns for each byte of a body that is made for it. */
const MAX_PARSED_BYTES = 131_072

/** Total size of the bodies that a thread reads or that wait for it. Each takes at most some seconds. */
const MAX_WAITING_BYTES = 128 * 1_048_576

/** Memory limit of the thread's JavaScript: 64 MiB of JSON with 2,000,000 values fit into it. */
const MAX_HEAP_MB = 1_024

/** An idle thread ends after this time. Few bodies need one. */
const IDLE_MS = 30_000

/** Reads bodies with points. Whatever takes more than some 10 ms is done in a thread. */
export type BodyReader = {
  /**
   * Returns points in canonical order, of a body for which `scanShortBody` returns undefined. Throws as
   * `readPointsBody` does, and unavailable when too many bodies wait.
   */
  readPoints(body: Buffer, maxPoints: number, handling: Handling): Promise<PointsRead>
  /** Returns a sync. Throws as `readSyncBody` does, and unavailable when too many bodies wait. */
  readSync(body: Buffer, maxPoints: number, handling: Handling): Promise<SyncRead>
  close(): Promise<void>
}

/** Returns a body in ordinary spelling that is short, as nearly all are; undefined for any other. */
export function scanShortBody(body: Buffer, maxPoints: number): PointBatch | undefined {
  return body.length > MAX_SCANNED_BYTES ? undefined : scanBody(body, maxPoints)
}

export function createBodyReader(): BodyReader {
  const pool = new Piscina<BodyTask, ReturnType<typeof runBodyTask>>({
    filename: new URL('./body-worker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
    recordTiming: false,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  })
  let waitingBytes = 0

  async function inThread<Result extends PointsRead | SyncRead>(
    body: Buffer,
    task: Omit<BodyTask, 'body'>,
  ): Promise<Result> {
    const { length } = body
    if (waitingBytes + length > MAX_WAITING_BYTES) throw tooManyBodies()
    waitingBytes += length
    try {
      const owned = ownedBytes(body)
      // The package's type of the list is not that of Node.js, which takes an array.
      const transferList = [owned.buffer] as object
      const result = await pool.run({ ...task, body: owned }, { name: 'readBody', transferList })
      if ('refusal' in result) throw thrown(result.refusal)
      return result as Result
    } finally {
      waitingBytes -= length
    }
  }

  return {
    async readPoints(body, maxPoints, handling) {
      return body.length <= MAX_PARSED_BYTES
        ? readPoints(body, maxPoints, handling)
        : await inThread<PointsRead>(body, { kind: 'points', maxPoints, handling })
    },
    async readSync(body, maxPoints, handling) {
      const scanned = scanShortBody(body, maxPoints)
      if (scanned !== undefined) return completeSync(syncOfScanned(scanned, handling), body)
      return body.length <= MAX_PARSED_BYTES
        ? readSync(body, maxPoints, handling)
        : await inThread<SyncRead>(body, { kind: 'sync', maxPoints, handling })
    },
    async close() {
      await pool.close()
    },
  }
}

/** Returns bytes that can be given away. The memory of a longer body is never reused, and needs no copy. */
function ownedBytes(body: Buffer): Uint8Array {
  return body.length > MAX_BUFFER_BYTES ? body : new Uint8Array(body)
}

function thrown({ code, status, message, errors }: Refusal): AppError {
  return new AppError(code, status, message, { errors })
}

function tooManyBodies(): AppError {
  return unavailable({
    detail: 'Too many large bodies are being read at once; try again shortly.',
    headers: { 'retry-after': '1' },
  })
}
