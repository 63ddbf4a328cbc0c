import { AppError, unavailable } from '#platform/basics/errors.ts'
import { threadPool } from '#platform/basics/thread-pool.ts'
import { ownedBytes } from '#platform/http/body-limits.ts'
import { FairLine, type WorkOwner } from '../turns.ts'
import {
  type BodyTask,
  type PointsBody,
  type PointsRead,
  type Refusal,
  readPoints,
  readSync,
  type SyncRead,
  scanShort,
} from './read-body.ts'

/**
 * Longest body that is parsed in the thread that answers requests. Parsing takes up to 60 ns for each byte of a body
 * that is made for it.
 */
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

/** Reads bodies with points in the calling thread or, where that takes more than some 5 ms, in another one. */
export type BodyReader = ReturnType<typeof createBodyReader>

/**
 * Creates the reader, whose worker has a table of reading functions by kind. The events take turns in its thread. Each
 * function throws unavailable when too many bodies wait for it.
 */
export function createBodyReader(workerUrl: URL) {
  const pool = threadPool<BodyTask, object>(workerUrl, {
    run: 'readBody',
    maxThreads: 1,
    idleMs: IDLE_MS,
    heapMb: MAX_HEAP_MB,
  })
  const line = new FairLine()
  const waitingBytes = new WaitingBytes()

  async function inThread(kind: string, sent: { body: Buffer }, owner: WorkOwner): Promise<object> {
    const release = waitingBytes.take(owner.eventId, sent.body.length)
    try {
      const end = await line.turn(owner, WAIT_LIMIT_MS)
      if (end === undefined) throw tooManyBodies()
      const result = await run(kind, sent).finally(end)
      if ('refusal' in result) throw thrown(result.refusal as Refusal)
      return result
    } finally {
      release()
    }
  }

  async function run(kind: string, sent: { body: Buffer }): Promise<object> {
    const body = ownedBytes(sent.body)
    return await pool.run({ kind, sent: { ...sent, body } }, { transfer: [body.buffer] })
  }

  /** Reads a body with a function that the worker has too, under this kind. Throws as the function does. */
  async function read<Sent extends { body: Buffer }, Result extends object>(
    kind: string,
    readHere: (sent: Sent) => Result,
    sent: Sent,
    owner: WorkOwner,
  ): Promise<Result> {
    if (sent.body.length <= MAX_PARSED_BYTES) return readHere(sent)
    return (await inThread(kind, sent, owner)) as Result
  }

  return {
    read,
    /** Returns the points of a body in canonical order. Throws as `readPoints` does. */
    async points(sent: PointsBody, owner: WorkOwner): Promise<PointsRead> {
      const scanned = scanShort(sent)
      if (scanned !== undefined) return readPoints(sent, scanned)
      return await read('points', (unusual: PointsBody) => readPoints(unusual, undefined), sent, owner)
    },
    /** Returns a sync. Throws as `readSync` does. */
    async sync(sent: PointsBody, owner: WorkOwner): Promise<SyncRead> {
      const scanned = scanShort(sent)
      if (scanned !== undefined) return readSync(sent, scanned)
      return await read('sync', (unusual: PointsBody) => readSync(unusual, undefined), sent, owner)
    },
    close: pool.close,
  }
}

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

function thrown({ code, status, message, errors }: Refusal): AppError {
  return new AppError(code, status, message, { errors })
}

function tooManyBodies(): AppError {
  return unavailable({
    detail: 'Too many large bodies are being read at once; try again shortly.',
    retryAfterSec: 1,
  })
}
