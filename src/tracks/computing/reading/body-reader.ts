import { Piscina } from 'piscina'
import { AppError, unavailable } from '#platform/errors.ts'
import { MAX_BUFFER_BYTES } from '#platform/http/bodies/body-buffer-pool.ts'
import type { Handling } from '../../points/check-point.ts'
import type { PhoneRequest } from '../../wire/apps/phone-fix.ts'
import { type PhoneAppName, type PhoneBatch, readPhoneBatch } from '../../wire/apps/read-phone-batch.ts'
import { syncOfScanned } from '../../wire/read/read-sync-body.ts'
import { type PointBatch, scanBody } from '../../wire/read/scan-body.ts'
import { FairLine, type WorkOwner } from '../fair-line.ts'
import {
  type BodyRead,
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
const MAX_PARSED_BYTES = 65_536

/** Total size of the bodies that a thread reads or that wait for it. Each takes at most some seconds. */
const MAX_WAITING_BYTES = 128 * 1_048_576
/** The same of one event, so that it keeps none of the others from sending: the largest body. */
const MAX_WAITING_OF_EVENT_BYTES = 64 * 1_048_576
/** Longest wait for the thread: proxies end a request that has got no answer for 60 seconds. */
const WAIT_LIMIT_MS = 30_000

/** Memory limit of the thread's JavaScript: 64 MiB of JSON with 2,000,000 values fit into it. */
const MAX_HEAP_MB = 1_024

/** An idle thread ends after this time. Few bodies need one. */
const IDLE_MS = 30_000

/** The most points that a body may have, and what happens to those that break a rule. */
type PointRules = { maxPoints: number; handling: Handling }

/**
 * Reads bodies with points. Whatever takes more than some 5 ms is done in a thread, in which the events take turns.
 * Each function throws unavailable when too many bodies wait for it.
 */
export type BodyReader = {
  /**
   * Returns points in canonical order, of a body for which `scanShortBody` returns undefined. Throws as
   * `readPointsBody` does.
   */
  readPoints(body: Buffer, rules: PointRules, owner: WorkOwner): Promise<PointsRead>
  /** Returns a sync. Throws as `readSyncBody` does. */
  readSync(body: Buffer, rules: PointRules, owner: WorkOwner): Promise<SyncRead>
  /** Returns the positions of an app with its own format. Throws as `readPhoneBatch` does. */
  readPhoneBatch(app: PhoneAppName, request: PhoneRequest, owner: WorkOwner): Promise<PhoneBatch>
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
  const line = new FairLine()
  const waitingBytes = new WaitingBytes()

  async function inThread<Result extends BodyRead>(
    { body, ...task }: WithoutBytes<BodyTask> & { body: Buffer },
    owner: WorkOwner,
  ): Promise<Result> {
    const release = waitingBytes.take(owner.eventId, body.length)
    try {
      const end = await line.turn(owner, WAIT_LIMIT_MS)
      if (end === undefined) throw tooManyBodies()
      const result = await run(task, body).finally(end)
      if ('refusal' in result) throw thrown(result.refusal)
      return result as Result
    } finally {
      release()
    }
  }

  async function run(task: WithoutBytes<BodyTask>, body: Buffer) {
    const owned = ownedBytes(body)
    // The package's type of the list is not that of Node.js, which takes an array.
    return await pool.run({ ...task, body: owned }, { name: 'readBody', transferList: [owned.buffer] as object })
  }

  return {
    async readPoints(body, rules, owner) {
      return body.length <= MAX_PARSED_BYTES
        ? readPoints(body, rules.maxPoints, rules.handling)
        : await inThread<PointsRead>({ kind: 'points', body, ...rules }, owner)
    },
    async readSync(body, rules, owner) {
      const scanned = scanShortBody(body, rules.maxPoints)
      if (scanned !== undefined) return completeSync(syncOfScanned(scanned, rules.handling), body)
      return body.length <= MAX_PARSED_BYTES
        ? readSync(body, rules.maxPoints, rules.handling)
        : await inThread<SyncRead>({ kind: 'sync', body, ...rules }, owner)
    },
    async readPhoneBatch(app, request, owner) {
      return request.body.length <= MAX_PARSED_BYTES
        ? readPhoneBatch(app, request)
        : await inThread<PhoneBatch>({ kind: 'phone', app, ...request }, owner)
    },
    async close() {
      await pool.close()
    },
  }
}

type WithoutBytes<Task> = Task extends unknown ? Omit<Task, 'body'> : never

/** Counts the bytes that the thread reads or that wait for it, in all and of each event. */
class WaitingBytes {
  readonly #ofEvents = new Map<string, number>()
  #total = 0

  /** Returns a function that gives the bytes back. @throws unavailable if that would be too many */
  take(eventId: string, bytes: number): () => void {
    const ofEvent = (this.#ofEvents.get(eventId) ?? 0) + bytes
    if (ofEvent > MAX_WAITING_OF_EVENT_BYTES || this.#total + bytes > MAX_WAITING_BYTES) throw tooManyBodies()
    this.#add(eventId, bytes)
    return () => this.#add(eventId, -bytes)
  }

  #add(eventId: string, bytes: number): void {
    this.#total += bytes
    const ofEvent = (this.#ofEvents.get(eventId) ?? 0) + bytes
    if (ofEvent === 0) this.#ofEvents.delete(eventId)
    else this.#ofEvents.set(eventId, ofEvent)
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
