import { Worker } from 'node:worker_threads'
import {
  fromPlainError,
  type StatementResult,
  type WriterChange,
  type WriterCommand,
  type WriterGreeting,
  type WriterOperation,
  type WriterReply,
} from './sqlite-messages.ts'
import { compactParameters, packParameters } from './sqlite-transfer.ts'

/** Time that `close` waits for open transactions before it ends the thread. SQLite then rolls them back. */
const CLOSE_DEADLINE_MS = 5_000

/** Memory limit of the thread's JavaScript: commands of one turn and their replies take some megabytes. */
const MAX_HEAP_MB = 1_024

type Waiting = { resolve(result: StatementResult | null): void; reject(error: Error): void }

/**
 * The calling thread's side of the writer. `start` starts the thread, and if it has died, the next command restarts it.
 * Earlier commands then fail with ERR_WRITER_ENDED, so no caller waits for ever.
 */
export class SqliteWriterThread {
  readonly #file: string
  #worker: Worker | undefined
  #waiting = new Map<number, Waiting>()
  #outbox: WriterCommand[] = []
  #transfer: ArrayBuffer[] = []
  #lastId = 0
  #generation = 0
  #whenIdle: (() => void) | undefined
  #isClosed = false

  constructor(file: string) {
    this.#file = file
  }

  /** Changes whenever a thread ends, which ends all of its transactions. */
  get generation(): number {
    return this.#generation
  }

  /** Starts the thread. Rejects with the reason if the file cannot be opened. */
  start(): Promise<void> {
    const worker = new Worker(new URL('./sqlite-writer.ts', import.meta.url), {
      workerData: { file: this.#file },
      // Options of the process, such as `--input-type`, may not apply to a thread.
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    })
    this.#worker = worker
    const started = Promise.withResolvers<void>()
    worker.once('message', (greeting: WriterGreeting) => {
      if ('failed' in greeting) {
        this.#lose(worker, fromPlainError(greeting.failed))
        started.reject(fromPlainError(greeting.failed))
        return
      }
      worker.on('message', (replies: WriterReply[]) => this.#settle(replies))
      // From here on, the thread keeps the process alive only while commands are pending.
      if (this.#waiting.size === 0) worker.unref()
      started.resolve()
    })
    worker.on('error', (error) => {
      this.#lose(worker, writerEnded(error))
      started.reject(writerEnded(error))
    })
    worker.on('exit', () => {
      this.#lose(worker, writerEnded())
      started.reject(writerEnded())
    })
    return started.promise
  }

  /** Sends a command, batched with others of the same turn. Rejects with SQLite's error. */
  run(
    operation: WriterOperation,
    session: number,
    sql: string,
    parameters: readonly unknown[],
    changes?: readonly WriterChange[],
  ): Promise<StatementResult | null> {
    if (this.#isClosed) return Promise.reject(writerEnded())
    const { promise, resolve, reject } = Promise.withResolvers<StatementResult | null>()
    const id = ++this.#lastId
    if (this.#worker === undefined) this.start().catch(() => {})
    if (this.#waiting.size === 0) this.#worker?.ref()
    this.#waiting.set(id, { resolve, reject })
    if (this.#outbox.length === 0) queueMicrotask(() => this.#post())
    this.#outbox.push([id, operation, session, sql, compactParameters(parameters, this.#transfer), changes])
    return promise
  }

  /** Makes several changes in one message. Returns whether each changed the required rows; otherwise none is made. */
  async changeTogether(changes: readonly WriterChange[]): Promise<boolean> {
    const packed = packParameters(
      changes.map(([, parameters]) => parameters),
      this.#transfer,
    )
    const sent = changes.map<WriterChange>(([sql, , must], i) => [sql, packed[i], must])
    const result = await this.run('together', 0, '', [], sent)
    return result?.changes === changes.length
  }

  /** Ends the thread at once. Pending commands fail. */
  async terminate(): Promise<void> {
    await this.#worker?.terminate()
  }

  /** Waits for running commands, writes the log back into the file and ends the thread. */
  async close(hasOpenTransactions: () => boolean): Promise<void> {
    const deadline = Date.now() + CLOSE_DEADLINE_MS
    while ((hasOpenTransactions() || this.#waiting.size > 0) && Date.now() < deadline) await this.#nextIdle()
    this.#isClosed = true
    const worker = this.#worker
    if (worker === undefined) return
    const ended = new Promise((resolve) => worker.once('exit', resolve))
    worker.ref()
    worker.postMessage([[0, 'close', 0, '', []] satisfies WriterCommand])
    const impatience = setTimeout(() => worker.terminate(), CLOSE_DEADLINE_MS)
    await ended
    clearTimeout(impatience)
  }

  #nextIdle(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#whenIdle = resolve
    setTimeout(resolve, 20)
    return promise
  }

  #post(): void {
    const commands = this.#outbox
    const transfer = this.#transfer
    this.#outbox = []
    this.#transfer = []
    try {
      this.#worker?.postMessage(commands, transfer)
    } catch (error) {
      // A value that cannot be cloned, such as a function: only this batch is affected.
      for (const [id] of commands) this.#take(id)?.reject(error as Error)
    }
  }

  #settle(replies: WriterReply[]): void {
    for (const [id, error, result] of replies) {
      const waiting = this.#take(id)
      if (error === null) waiting?.resolve(result)
      else waiting?.reject(fromPlainError(error))
    }
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (this.#waiting.size === 0) {
      this.#worker?.unref()
      this.#whenIdle?.()
    }
    return waiting
  }

  #lose(worker: Worker, reason: Error): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    this.#generation++
    for (const waiting of this.#waiting.values()) waiting.reject(reason)
    this.#waiting.clear()
    this.#outbox = []
    this.#transfer = []
  }
}

function writerEnded(cause?: unknown): Error {
  return Object.assign(new Error('The writer of the database has ended.', { cause }), { code: 'ERR_WRITER_ENDED' })
}
