import { payloadTooLarge, unavailable, unprocessable } from '#platform/basics/errors.ts'
import { threadPool } from '#platform/basics/thread-pool.ts'
import { ownedBytes } from '#platform/http/body-limits.ts'
import { FairLine, type WorkOwner } from '../points/turns.ts'
import type { FileRefusal, ImportTask, ReadFile } from './import-worker.ts'
import { type RefusalReason, unpackedBytes } from './recorded-track.ts'

/** Memory limit of the thread's JavaScript. The largest file with the most points takes about half of it. */
const MAX_HEAP_MB = 1_024
/** Time limit for one file. The largest ones take some ten seconds on a slow machine. */
const TIME_LIMIT_MS = 60_000
/** Total size of the files that the thread reads or that wait for it. */
const MAX_WAITING_BYTES = 128 * 1_048_576
/** Number of files that wait for the thread. */
const MAX_WAITING_FILES = 32
/** The same of one event, of which a token may name as many people as it likes. */
const MAX_WAITING_OF_EVENT = 8
/** Longest wait for the thread: proxies end a request that has got no answer for 60 seconds. */
const WAIT_LIMIT_MS = 30_000
/** An idle thread ends after this time. */
const IDLE_MS = 10_000

/** Reads recordings in a thread, which ends if a file takes more memory or time than any recording needs. */
export type ImportReader = ReturnType<typeof createImportReader>

type ImportReaderLimits = { heapMb?: number; timeMs?: number; waitMs?: number }

export function createImportReader({
  heapMb = MAX_HEAP_MB,
  timeMs = TIME_LIMIT_MS,
  waitMs = WAIT_LIMIT_MS,
}: ImportReaderLimits = {}) {
  const pool = threadPool<ImportTask, ReadFile | FileRefusal>(new URL('./import-worker.ts', import.meta.url), {
    run: 'readImportedFile',
    maxThreads: 1,
    idleMs: IDLE_MS,
    heapMb,
  })
  /** The pool would begin to count the time of a file while it waits for others. */
  const line = new FairLine()
  let waitingBytes = 0

  async function readInThread({ bytes, format }: ImportTask): Promise<ReadFile> {
    const owned = ownedBytes(bytes)
    const options = { transfer: [owned.buffer], signal: AbortSignal.timeout(timeMs) }
    const read = await pool.run({ bytes: owned, format }, options)
    if ('refusal' in read) throw refused(read)
    return read
  }

  const isFull = ({ eventId }: WorkOwner) =>
    line.length >= MAX_WAITING_FILES || line.lengthOf(eventId) >= MAX_WAITING_OF_EVENT

  return {
    /**
     * Reads a file of somebody once it is its turn. Its bytes may be given to the thread, and cannot be used
     * afterwards.
     * @throws unprocessable with the reason for a file that cannot be imported; payloadTooLarge for a compressed file
     * that is too large; unavailable when too many files wait, another one of the same person does, or the turn does
     * not come in time; the reason of `left` when the client leaves before it
     */
    async read(task: ImportTask, importer: WorkOwner, left: AbortSignal): Promise<ReadFile> {
      const length = unpackedBytes(task.bytes)
      if (line.has(importer)) throw anotherWaits()
      if (waitingBytes + length > MAX_WAITING_BYTES || isFull(importer)) throw tooManyFiles()
      waitingBytes += length
      try {
        const end = await line.turn(importer, waitMs, left)
        if (end === undefined) throw tooManyFiles()
        return await readInThread(task).finally(end)
      } catch (error) {
        throw isOfThread(error) ? tooMuchWork(error) : error
      } finally {
        waitingBytes -= length
      }
    },
    close: pool.close,
  }
}

function refused({ refusal, reason, isTooLarge }: FileRefusal) {
  return (isTooLarge ? payloadTooLarge : unprocessable)({ detail: `The file ${refusal}.`, members: { reason } })
}

/** Tells whether the thread was ended because of its limits: by the signal, or by Node.js for its memory. */
function isOfThread(error: unknown): boolean {
  const { name, code } = error as NodeJS.ErrnoException
  return name === 'AbortError' || code === 'ERR_WORKER_OUT_OF_MEMORY'
}

function tooMuchWork(cause: unknown) {
  return unprocessable({
    cause,
    detail: 'The file takes more time or memory to read than any recording needs.',
    members: { reason: 'too_costly' satisfies RefusalReason },
  })
}

function anotherWaits() {
  return unavailable({
    detail: 'Another file of yours waits to be imported. Send this one after it.',
    retryAfterSec: 5,
  })
}

function tooManyFiles() {
  return unavailable({
    detail: 'Too many files are being imported at once. Try again shortly.',
    retryAfterSec: 5,
  })
}
