import type { MessagePort } from 'node:worker_threads'
import type { ValueType } from '../guarded-insert.ts'

/** Values of SQLite. Integers are returned as numbers; one beyond 2^53 is an error, never a rounded value. */
export type SqlValue = null | number | bigint | string | Uint8Array

/** Result of one statement. Rows are arrays with separate column names, the cheapest form to send. */
export type StatementResult = { columns: readonly string[]; rows: SqlValue[][]; changes: number }

/**
 * Commands to the writer:
 * - `change`: one INSERT, UPDATE or DELETE, which may share a commit with waiting ones;
 * - `guarded`: groups of rows to insert as one transaction, each if its guard is as expected;
 * - `alone`: one statement that runs outside any transaction (PRAGMA, VACUUM, DDL);
 * - `statement`, `commit`, `rollback`: parts of the transaction `session`, which begins with its first statement;
 * - `close`: checkpoint and end.
 */
export type WriterOperation = 'change' | 'guarded' | 'alone' | 'statement' | 'commit' | 'rollback' | 'close'

/** Arrays instead of objects, because structured cloning writes an object's keys into every message. */
export type WriterCommand = [
  id: number,
  operation: WriterOperation,
  session: number,
  sql: string,
  parameters: readonly SqlValue[],
  guarded?: GuardedCommand,
]

/** A guarded insert as two statements, and the types of their values. */
export type GuardedStatements = {
  guardSql: string
  guardTypes: readonly ValueType[]
  insertSql: string
  rowTypes: readonly ValueType[]
}

/**
 * Groups of rows in a message: for each group the values of its guard, the number of its rows, and
 * their values. Values are apart by type, because cloning numbers in one piece of memory takes a
 * tenth of the time of cloning them in arrays.
 */
export type GuardedCommand = GuardedStatements & {
  /** The number of groups. */
  count: number
  texts: (string | null)[]
  /** Numbers, NaN for null; and the lengths of bytes. */
  numbers: Float64Array
  bytes: Uint8Array
}

/** An error in the form sent between threads. `structuredClone` would drop the own properties of an Error. */
export type PlainError = { message: string; code: string | undefined; errcode: number | undefined }

export type WriterReply = [id: number, error: PlainError | null, result: StatementResult | null]

/** Asks the thread to open a file, and to talk about it through a port. */
export type OpenCommand = { file: string; port: MessagePort }

/**
 * The first message of a file's port: ready, or why the file could not be opened. Every later one is a batch of
 * replies.
 */
export type WriterGreeting = { ready: true } | { failed: PlainError }

/** Turns an error into plain data. */
export function toPlainError(error: unknown): PlainError {
  const { message, code, errcode } = error as Partial<PlainError>
  return { message: message ?? String(error), code, errcode }
}

/** Rebuilds the Error that `node:sqlite` threw in the other thread. */
export function fromPlainError({ message, code, errcode }: PlainError): Error {
  return Object.assign(new Error(message), { code, errcode })
}
