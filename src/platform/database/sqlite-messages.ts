import type { MessagePort } from 'node:worker_threads'
import type { GuardedInsert, GuardedRows, InsertedValue, ValueType } from './database.ts'

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
type GuardedStatements = {
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

/** Smaller buffers are cheaper to copy than to transfer. */
const WORTH_TRANSFERRING_BYTES = 16 * 1024

/** Returns the buffers of a batch of replies to transfer instead of copy: nothing else uses them. */
export function transferables(replies: readonly WriterReply[]): ArrayBuffer[] {
  const buffers: ArrayBuffer[] = []
  for (const [, , result] of replies) {
    for (const row of result?.rows ?? []) {
      for (const value of row) {
        if (value instanceof Uint8Array && value.byteLength >= WORTH_TRANSFERRING_BYTES) {
          buffers.push(value.buffer as ArrayBuffer)
        }
      }
    }
  }
  return buffers
}

/**
 * Prepares parameters to be sent. Cloning a view clones all of the memory behind it, which may be a whole request body
 * or Node's shared pool. So a view of a part is copied, and a large copy is transferred through `transfer`.
 */
export function compactParameters(parameters: readonly unknown[], transfer: ArrayBuffer[]): readonly SqlValue[] {
  if (!parameters.some(isPartialView)) return parameters as readonly SqlValue[]
  return parameters.map((value) => {
    if (!isPartialView(value)) return value as SqlValue
    const copy = new Uint8Array(value)
    if (copy.byteLength >= WORTH_TRANSFERRING_BYTES) transfer.push(copy.buffer)
    return copy
  })
}

function isPartialView(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array && value.byteLength !== value.buffer.byteLength
}

/** Runs a statement and returns how many rows it has changed. */
type Run = (sql: string, parameters: readonly SqlValue[]) => number

/** Returns the SQL of a guarded insert: one statement for a guard, one for a row. */
export function guardedStatements({ guard, insert }: GuardedInsert): GuardedStatements {
  const names = Object.keys(guard.values)
  const columns = Object.keys(insert.columns)
  const value = (name: string) => `?${names.indexOf(name) + 1}`
  return {
    guardSql:
      `update ${guard.table} set ${guard.set(value)} ` +
      `where ${guard.table}.${names[0]} = ${value(names[0])} and (${guard.where(value)})`,
    guardTypes: Object.values(guard.values),
    insertSql: `insert into ${insert.table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    rowTypes: Object.values(insert.columns),
  }
}

/** Packs groups of rows. The bytes are copied into a buffer of their own, to be transferred. */
export function packGuarded(statements: GuardedStatements, groups: readonly GuardedRows[]): GuardedCommand {
  const { guardTypes, rowTypes } = statements
  const texts: (string | null)[] = []
  const numbers: number[] = []
  const pieces: Uint8Array[] = []

  function pack(types: readonly ValueType[], values: readonly InsertedValue[]): void {
    for (const [i, type] of types.entries()) {
      const value = values[i]
      if (type === 'text') texts.push(value as string | null)
      else if (type === 'bigint') numbers.push((value as number | null) ?? Number.NaN)
      else {
        pieces.push(value as Uint8Array)
        numbers.push((value as Uint8Array).byteLength)
      }
    }
  }

  for (const { guard, rows } of groups) {
    pack(guardTypes, guard)
    numbers.push(rows.length)
    for (const row of rows) pack(rowTypes, row)
  }
  return { ...statements, count: groups.length, texts, numbers: Float64Array.from(numbers), bytes: joined(pieces) }
}

/** Inserts the rows of the groups whose guards are as expected. Returns 1 for each of these, 0 for the others. */
export function insertGuarded(command: GuardedCommand, run: Run): SqlValue[] {
  const { guardSql, guardTypes, insertSql, rowTypes, count, texts, numbers, bytes } = command
  let textAt = 0
  let numberAt = 0
  let byteAt = 0

  function unpack(types: readonly ValueType[]): SqlValue[] {
    return types.map((type) => {
      if (type === 'text') return texts[textAt++]
      const number = numbers[numberAt++]
      if (type === 'bigint') return Number.isNaN(number) ? null : number
      byteAt += number
      return bytes.subarray(byteAt - number, byteAt)
    })
  }

  return Array.from({ length: count }, () => {
    const isInserted = run(guardSql, unpack(guardTypes)) === 1
    for (let rows = numbers[numberAt++]; rows > 0; rows--) {
      const row = unpack(rowTypes)
      if (isInserted) run(insertSql, row)
    }
    return isInserted ? 1 : 0
  })
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.byteLength
  }
  return whole
}
