import type { DatabaseSync } from 'node:sqlite'
import {
  type GuardedCommand,
  insertGuarded,
  type PlainError,
  toPlainError,
  type WriterCommand,
  type WriterReply,
} from './sqlite-messages.ts'
import { cachedStatements } from './sqlite-reader.ts'

/**
 * Limits on the duration and size of a group of commits, after which it is synced to disk. Five milliseconds are a few
 * fsyncs of a good disk: callers gain from sharing one, and none waits noticeably.
 */
const GROUP_AGE_MS = 5
const GROUP_SIZE = 256

/** Idle time after which a transaction is rolled back, so that a lost caller cannot block all writes. */
const IDLE_TRANSACTION_MS = 10_000

const ABANDONED: PlainError = {
  message: 'The transaction was rolled back.',
  code: 'ERR_TRANSACTION_ROLLED_BACK',
  errcode: undefined,
}

/** A caller's transaction, or a single statement (`session` 0), with its pending commands. */
type Unit = { session: number; commands: WriterCommand[]; failure: PlainError | undefined }

/**
 * Runs commands on the writing connection: one transaction at a time, in order of arrival.
 *
 * Commits are grouped: when a transaction is done and others wait, the next one runs in the same SQLite transaction,
 * each inside a savepoint, and all are acknowledged together after one fsync. A commit is
 * never acknowledged before it is on disk, and a rollback of one transaction does not affect the others. Deferred
 * constraints would be checked for the whole group, so the schema has none.
 */
export class SqliteWriteQueue {
  readonly #database: DatabaseSync
  readonly #statements
  readonly #send: (replies: WriterReply[]) => void
  readonly #waiting: Unit[] = []
  readonly #units = new Map<number, Unit>()
  #current: Unit | undefined
  #unacknowledged: WriterReply[] = []
  #outbox: WriterReply[] = []
  #groupStartedMs = 0
  #idleTimer: NodeJS.Timeout | undefined

  constructor(database: DatabaseSync, send: (replies: WriterReply[]) => void) {
    this.#database = database
    this.#statements = cachedStatements(database)
    this.#send = send
  }

  /** Queues a command, which `advance` runs. */
  accept(command: WriterCommand): void {
    const session = command[2]
    const unit = this.#units.get(session) ?? { session, commands: [], failure: undefined }
    unit.commands.push(command)
    if (session !== 0) this.#units.set(session, unit)
    // Forgets the transaction with its last command.
    if (unit.failure !== undefined) this.#fail(unit, unit.failure)
    else if (unit.commands.length === 1 && unit !== this.#current) this.#waiting.push(unit)
  }

  /**
   * Runs commands until the open transaction waits for its caller, or everything is done and on disk. Calls `more`
   * before a sync to take in commands that have arrived meanwhile, which then share it.
   */
  advance(more: () => void): void {
    clearTimeout(this.#idleTimer)
    for (;;) {
      if (this.#current !== undefined) {
        const command = this.#current.commands.shift()
        if (command === undefined) break
        this.#continue(this.#current, command)
        continue
      }
      if (this.#waiting.length === 0) more()
      if (this.#waiting.length === 0) {
        this.#commitGroup()
        break
      }
      if (this.#isGroupFull()) this.#commitGroup()
      this.#start(this.#waiting.shift() as Unit)
    }
    this.#flush()
    if (this.#current !== undefined) this.#watchIdle(this.#current, more)
  }

  #start(unit: Unit): void {
    const [id, operation, session, sql, parameters, guarded] = unit.commands[0]
    if (operation === 'alone') {
      this.#commitGroup()
      this.#attempt(id, () => this.#statements.run(sql, parameters))
      if (!/^\s*pragma\b/i.test(sql)) this.#statements.clear()
    } else if (this.#openGroup(unit)) {
      if (guarded !== undefined) this.#insertGuarded(id, guarded)
      else if (session === 0) this.#change(id, sql, parameters)
      else this.#begin(unit)
    }
  }

  #begin(unit: Unit): void {
    this.#statements.run('savepoint "#unit"', [])
    this.#current = unit
  }

  /** Runs a single statement. SQLite undoes a failed one and keeps the transaction around it. */
  #change(id: number, sql: string, parameters: WriterCommand[4]): void {
    try {
      this.#unacknowledged.push([id, null, this.#statements.run(sql, parameters)])
    } catch (error) {
      this.#reply(id, toPlainError(error))
      this.#noticeLostGroup(toPlainError(error))
    }
  }

  /** Inserts groups of rows, and none if one fails. The result has one value for each: whether its guard allowed it. */
  #insertGuarded(id: number, command: GuardedCommand): void {
    this.#statements.run('savepoint "#unit"', [])
    try {
      const inserted = insertGuarded(command, (sql, parameters) => this.#statements.run(sql, parameters).changes)
      this.#leave(true)
      this.#unacknowledged.push([id, null, { columns: [], rows: [inserted], changes: inserted.length }])
    } catch (error) {
      if (this.#database.isTransaction) this.#leave(false)
      this.#reply(id, toPlainError(error))
      this.#noticeLostGroup(toPlainError(error))
    }
  }

  #continue(unit: Unit, [id, operation, , sql, parameters]: WriterCommand): void {
    if (operation === 'statement') {
      this.#attempt(id, () => this.#statements.run(sql, parameters))
      return
    }
    this.#units.delete(unit.session)
    this.#leave(operation === 'commit')
    // A decision based on other transactions of the group, such as to give up, holds only once they are on disk.
    if (operation === 'commit' || this.#unacknowledged.length > 0) this.#unacknowledged.push([id, null, null])
    else this.#reply(id, null)
  }

  /** Ends the current transaction within its group, and keeps or undoes its changes. */
  #leave(keep: boolean): void {
    if (!keep) this.#statements.run('rollback to "#unit"', [])
    this.#statements.run('release "#unit"', [])
    this.#current = undefined
  }

  #attempt(id: number, run: () => WriterReply[2]): void {
    try {
      this.#outbox.push([id, null, run()])
    } catch (error) {
      this.#reply(id, toPlainError(error))
      this.#noticeLostGroup(toPlainError(error))
    }
  }

  /** Takes the write lock at once with IMMEDIATE: a transaction that starts as a reader may fail to become a writer. */
  #openGroup(unit: Unit): boolean {
    if (this.#database.isTransaction) return true
    try {
      this.#statements.run('begin immediate', [])
      this.#groupStartedMs = performance.now()
      return true
    } catch (error) {
      // Waiting units would fail the same way, each after a busy timeout.
      for (const failed of [unit, ...this.#waiting.splice(0)]) this.#fail(failed, toPlainError(error))
      return false
    }
  }

  /**
   * Rejects all pending and later commands of a unit with its failure. A failed transaction is remembered until its
   * caller ends it, so that its later statements do not start a new one.
   */
  #fail(unit: Unit, failure: PlainError): void {
    unit.failure = failure
    for (const [id, operation] of unit.commands.splice(0)) {
      this.#reply(id, operation === 'rollback' ? null : failure)
      if (operation === 'rollback' || operation === 'commit') this.#units.delete(unit.session)
    }
  }

  #isGroupFull(): boolean {
    if (!this.#database.isTransaction) return false
    return this.#unacknowledged.length >= GROUP_SIZE || performance.now() - this.#groupStartedMs >= GROUP_AGE_MS
  }

  #commitGroup(): void {
    if (!this.#database.isTransaction) return
    this.#flush()
    if (this.#unacknowledged.length === 0) {
      this.#statements.run('rollback', [])
      return
    }
    try {
      this.#statements.run('commit', [])
      this.#outbox.push(...this.#unacknowledged)
      this.#unacknowledged = []
    } catch (error) {
      if (this.#database.isTransaction) this.#statements.run('rollback', [])
      this.#noticeLostGroup(toPlainError(error))
    }
  }

  /** Handles a full disk or a failed read, on which SQLite rolls back the whole transaction, and so the group. */
  #noticeLostGroup(failure: PlainError): void {
    if (this.#database.isTransaction) return
    for (const [id] of this.#unacknowledged) this.#reply(id, failure)
    this.#unacknowledged = []
    const lost = this.#current
    this.#current = undefined
    if (lost !== undefined) this.#fail(lost, failure)
  }

  #watchIdle(unit: Unit, more: () => void): void {
    this.#idleTimer = setTimeout(() => {
      this.#leave(false)
      this.#fail(unit, ABANDONED)
      this.advance(more)
    }, IDLE_TRANSACTION_MS)
  }

  #reply(id: number, error: PlainError | null): void {
    this.#outbox.push([id, error, null])
  }

  #flush(): void {
    if (this.#outbox.length === 0) return
    this.#send(this.#outbox)
    this.#outbox = []
  }
}
