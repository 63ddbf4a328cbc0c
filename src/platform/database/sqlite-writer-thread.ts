import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { threadEnvironment } from '../basics/thread-environment.ts'
import {
  compactParameters,
  fromPlainError,
  type GuardedCommand,
  type OpenCommand,
  type StatementResult,
  type WriterCommand,
  type WriterGreeting,
  type WriterOperation,
  type WriterReply,
} from './sqlite-messages.ts'

/** Time that `close` waits for open transactions before it ends the thread. SQLite then rolls them back. */
const CLOSE_DEADLINE_MS = 5_000

/** An open file: the thread that holds it, and the port that leads to it. */
type Connection = { thread: SharedWriterThread; port: MessagePort }

type Waiting = { resolve(result: StatementResult | null): void; reject(error: Error): void }

/**
 * The calling thread's side of a file's writer. `start` opens the file in the thread that holds all of them,
 * and if that has died, the next command starts another one. Earlier commands then fail with
 * ERR_WRITER_ENDED, so no caller waits for ever.
 */
export class SqliteWriterThread {
  readonly #file: string
  #connection: Connection | undefined
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

  /** Opens the file in the thread. Rejects with the reason if that fails. */
  start(): Promise<void> {
    const thread = SharedWriterThread.forFile(this.#file)
    const started = Promise.withResolvers<void>()
    const port = thread.open(this.#file, (cause) => {
      this.#lose(connection, writerEnded(cause))
      started.reject(writerEnded(cause))
    })
    const connection = { thread, port }
    this.#connection = connection
    let isGreeted = false
    thread.hold(this.#file)
    port.on('message', (message: WriterGreeting | WriterReply[]) => {
      if (isGreeted) return this.#settle(message as WriterReply[])
      isGreeted = true
      const greeting = message as WriterGreeting
      if ('failed' in greeting) {
        this.#lose(connection, fromPlainError(greeting.failed))
        void thread.leave(this.#file)
        started.reject(fromPlainError(greeting.failed))
        return
      }
      // From here on, the thread keeps the process alive only while commands are pending.
      if (this.#waiting.size === 0) thread.release(this.#file)
      started.resolve()
    })
    port.unref()
    return started.promise
  }

  /** Sends a command, batched with others of the same turn. Rejects with SQLite's error. */
  run(
    operation: WriterOperation,
    session: number,
    sql: string,
    parameters: readonly unknown[],
    guarded?: GuardedCommand,
  ): Promise<StatementResult | null> {
    if (this.#isClosed) return Promise.reject(writerEnded())
    const { promise, resolve, reject } = Promise.withResolvers<StatementResult | null>()
    const id = ++this.#lastId
    if (this.#connection === undefined) this.start().catch(() => {})
    if (this.#waiting.size === 0) this.#connection?.thread.hold(this.#file)
    this.#waiting.set(id, { resolve, reject })
    if (this.#outbox.length === 0) queueMicrotask(() => this.#post())
    this.#outbox.push([id, operation, session, sql, compactParameters(parameters, this.#transfer), guarded])
    return promise
  }

  /** Inserts groups of rows, whose bytes it takes over. Returns for each whether its guard allowed it. */
  async insertGuarded(command: GuardedCommand): Promise<boolean[]> {
    this.#transfer.push(command.bytes.buffer as ArrayBuffer)
    const result = await this.run('guarded', 0, '', [], command)
    return result!.rows[0].map((inserted) => inserted === 1)
  }

  /** Ends the thread at once. Pending commands fail, also commands on other files. */
  async terminate(): Promise<void> {
    await this.#connection?.thread.terminate()
  }

  /** Waits for running commands, writes the log back into the file and closes it. */
  async close(hasOpenTransactions: () => boolean): Promise<void> {
    const deadline = Date.now() + CLOSE_DEADLINE_MS
    while ((hasOpenTransactions() || this.#waiting.size > 0) && Date.now() < deadline) await this.#nextIdle()
    this.#isClosed = true
    const connection = this.#connection
    if (connection === undefined) return
    this.#connection = undefined
    const { thread, port } = connection
    const closed = new Promise((resolve) => port.once('close', resolve))
    thread.hold(this.#file)
    port.postMessage([[0, 'close', 0, '', []] satisfies WriterCommand])
    const impatience = setTimeout(() => thread.terminate(), CLOSE_DEADLINE_MS)
    await closed
    clearTimeout(impatience)
    await thread.leave(this.#file)
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
      this.#connection?.port.postMessage(commands, transfer)
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
      this.#connection?.thread.release(this.#file)
      this.#whenIdle?.()
    }
    return waiting
  }

  #lose(connection: Connection, reason: Error): void {
    if (this.#connection !== connection) return
    this.#connection = undefined
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

/** Memory limit of the thread's JavaScript: commands of one turn and their replies take some megabytes. */
const MAX_HEAP_MB = 1_024

/** The running threads: one, unless the process has opened a file twice. */
const threads = new Set<SharedWriterThread>()

/**
 * A thread that holds the writing connections of all files of the process. It spends nearly all of its time waiting for
 * the disk, and each further thread would take 10 MiB.
 */
export class SharedWriterThread {
  readonly #worker: Worker
  /** The open files, and what to call when the thread has ended while they were open. */
  readonly #files = new Map<string, (cause: unknown) => void>()
  /** The files for which the process waits. */
  readonly #held = new Set<string>()

  /**
   * Returns the thread for a file. Two connections to one file get two threads: in one, the second would wait for the
   * lock of the first, which could never release it.
   */
  static forFile(file: string): SharedWriterThread {
    return [...threads].find((thread) => !thread.#files.has(file)) ?? new SharedWriterThread()
  }

  private constructor() {
    threads.add(this)
    this.#worker = new Worker(new URL('./sqlite-writer.ts', import.meta.url), {
      // The operating system's name for it, which separates its processor time from other threads.
      name: 'SQLite writer',
      // Options of the process, such as `--input-type`, may not apply to a thread.
      execArgv: [],
      env: threadEnvironment(),
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    })
    this.#worker.unref()
    this.#worker.on('error', (error) => this.#end(error))
    this.#worker.on('exit', () => this.#end(undefined))
  }

  /** Opens a file. Its port gives a greeting and then replies. Calls `onEnd` if the thread ends before `leave`. */
  open(file: string, onEnd: (cause: unknown) => void): MessagePort {
    const { port1, port2 } = new MessageChannel()
    this.#files.set(file, onEnd)
    this.#worker.postMessage({ file, port: port2 } satisfies OpenCommand, [port2])
    return port1
  }

  /** Forgets a file whose connection is closed. The thread ends with its last file. */
  async leave(file: string): Promise<void> {
    this.#files.delete(file)
    this.release(file)
    if (this.#files.size > 0) return
    threads.delete(this)
    await this.#worker.terminate()
  }

  /** Keeps the process alive until `release` is called for the same file. */
  hold(file: string): void {
    this.#held.add(file)
    this.#worker.ref()
  }

  release(file: string): void {
    this.#held.delete(file)
    if (this.#held.size === 0) this.#worker.unref()
  }

  /** Ends the thread at once, with every transaction in it. */
  async terminate(): Promise<void> {
    await this.#worker.terminate()
  }

  #end(cause: unknown): void {
    threads.delete(this)
    for (const onEnd of [...this.#files.values()]) onEnd(cause)
    this.#files.clear()
  }
}
