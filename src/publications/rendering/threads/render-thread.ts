import { Worker } from 'node:worker_threads'
import { createThreadEnd, mayEnd } from '#platform/basics/thread-end.ts'
import { threadEnvironment } from '#platform/basics/thread-environment.ts'
import { PdfError } from '../pdfium/pdf-error.ts'
import type { Ready, RenderReply, RenderRequest, RenderWorkerData } from './render-messages.ts'

/** Memory limit of JavaScript in a worker: words and links of one page. PDFium's memory has a limit of its own. */
const MAX_HEAP_MB = 256

/** Starting takes about 0.1 s; a machine that takes this long cannot render. */
const START_DEADLINE_MS = 30_000

/** Encoding the content of a page takes milliseconds; a thread that is busy with it for longer is stuck. */
const END_WITHIN_MS = 1_000

/** On a busy machine a thread may take this many times its deadline in wall-clock time. */
const CLOCK_FACTOR = 4

type Waiting = { resolve: (reply: RenderReply) => void; reject: (error: Error) => void; timer?: NodeJS.Timeout }

/**
 * A worker thread that handles one request at a time, each with a deadline. Any
 * failure ends it: `isAlive` is then false.
 */
export class RenderThread {
  /** Number of answered requests: a failure of the first is the document's, a later one may be the thread's. */
  answered = 0
  memoryBytes = 0
  isAlive = true
  readonly #worker: Worker
  readonly #threadEnd = createThreadEnd()
  readonly #ready: Promise<void>
  #waiting: Waiting | undefined

  constructor(workerData: Omit<RenderWorkerData, 'threadEnd'>) {
    this.#worker = new Worker(new URL('./render-worker.ts', import.meta.url), {
      name: 'render',
      workerData: { ...workerData, threadEnd: this.#threadEnd } satisfies RenderWorkerData,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
      // A document that takes PDFium over must find no secret.
      env: threadEnvironment(),
      execArgv: [],
    })
    this.#ready = new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#end(new PdfError('timed_out')), START_DEADLINE_MS)
      const fail = (cause: Error) => reject(new Error('A worker for rendering did not start', { cause }))
      this.#waiting = { resolve: () => resolve(), reject: fail, timer }
    })
    // The first request reports a failed start; until then the rejection is handled here.
    this.#ready.catch(() => {})
    this.#worker.on('message', (message: RenderReply | Ready) => this.#receive(message))
    this.#worker.on('error', (error: Error) => this.#end(failureOf(error)))
    this.#worker.on('exit', () => this.#end(new PdfError('crashed')))
  }

  /**
   * Sends a request, and rejects with the `PdfError` `timed_out`, `out_of_memory` or `crashed` if it will not be
   * answered. The deadline is processor time of the thread: time that other threads take does not count.
   */
  async ask(request: RenderRequest, deadlineMs: number): Promise<RenderReply> {
    this.#worker.ref()
    await this.#ready
    return new Promise((resolve, reject) => {
      if (!this.isAlive) return reject(new PdfError('crashed'))
      const before = this.#computedMs()
      const latestMs = performance.now() + CLOCK_FACTOR * deadlineMs
      const waiting: Waiting = { resolve, reject }
      const check = async () => {
        const leftMs = deadlineMs - ((await this.#computedMs()) - (await before))
        if (this.#waiting !== waiting) return
        if (leftMs <= 0 || performance.now() >= latestMs) return this.#end(new PdfError('timed_out'))
        waiting.timer = setTimeout(check, Math.min(leftMs, latestMs - performance.now()))
      }
      waiting.timer = setTimeout(check, deadlineMs)
      this.#waiting = waiting
      this.#worker.postMessage(request)
    })
  }

  /** Returns the processor time of the thread so far; infinity once it has ended. */
  async #computedMs(): Promise<number> {
    try {
      const { user, system } = await this.#worker.cpuUsage()
      return (user + system) / 1000
    } catch {
      return Number.POSITIVE_INFINITY
    }
  }

  /** Closes the thread's document, so that the file can be removed. */
  release() {
    if (this.isAlive) this.#worker.postMessage({ kind: 'release' } satisfies RenderRequest)
  }

  /** Lets the process exit while the thread is idle. */
  unref() {
    this.#worker.unref()
  }

  /** Ends the thread, even in the middle of a call that does not return. */
  async close(): Promise<void> {
    this.#end(new PdfError('closed'))
    await this.#terminate()
  }

  #receive(message: RenderReply | Ready) {
    const waiting = this.#takeWaiting()
    if (message === 'ready') return waiting?.resolve({ memoryBytes: 0, error: '' })
    this.answered++
    this.memoryBytes = message.memoryBytes
    waiting?.resolve(message)
    if ('isBroken' in message && message.isBroken) this.#end(new PdfError('crashed'))
  }

  #end(error: Error) {
    this.isAlive = false
    this.#takeWaiting()?.reject(error)
    void this.#terminate()
  }

  async #terminate(): Promise<void> {
    await mayEnd(this.#threadEnd, END_WITHIN_MS)
    await this.#worker.terminate()
  }

  #takeWaiting(): Waiting | undefined {
    const waiting = this.#waiting
    this.#waiting = undefined
    clearTimeout(waiting?.timer)
    return waiting
  }
}

function failureOf(error: Error): PdfError {
  const isMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  return new PdfError(isMemory ? 'out_of_memory' : 'crashed', { cause: error })
}
