import type { MessagePort } from 'node:worker_threads'
import { SharedWriterThread } from './shared-writer-thread.ts'
import {
  fromPlainError,
  type GuardedCommand,
  type StatementResult,
  type WriterCommand,
  type WriterGreeting,
  type WriterOperation,
  type WriterReply,
} from './sqlite-messages.ts'
import { compactParameters } from './sqlite-transfer.ts'

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

  /** Ends the thread at once. Pending commands fail, those on other files too. */
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
