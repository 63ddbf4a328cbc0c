/** What SQLite takes and gives. Integers arrive as numbers; one beyond 2^53 is an error, never a rounded value. */
export type SqlValue = null | number | bigint | string | Uint8Array

/** The outcome of one statement: rows as arrays beside their column names, because that is what travels cheapest. */
export type StatementResult = { columns: readonly string[]; rows: SqlValue[][]; changes: number }

/**
 * What the calling thread asks of the writer:
 * - `change`: one INSERT, UPDATE or DELETE of its own, which may share a commit with others that wait;
 * - `together`: several changes as one transaction, undone unless each changes as many rows as it must;
 * - `alone`: one statement that runs by itself, outside any transaction (PRAGMA, VACUUM, DDL);
 * - `statement`, `commit`, `rollback`: parts of the transaction `session`, which begins with its first statement;
 * - `close`: checkpoint and end.
 */
export type WriterOperation = 'change' | 'together' | 'alone' | 'statement' | 'commit' | 'rollback' | 'close'

/** Arrays rather than objects: structured cloning writes an object's keys into every message. */
export type WriterCommand = [
  id: number,
  operation: WriterOperation,
  session: number,
  sql: string,
  parameters: readonly SqlValue[],
  changes?: readonly WriterChange[],
]

/** One of several changes that are made together. */
export type WriterChange = [sql: string, parameters: readonly SqlValue[], mustChange: number]

/** An error as it crosses the thread boundary, where `structuredClone` would drop every own property of an Error. */
export type PlainError = { message: string; code: string | undefined; errcode: number | undefined }

export type WriterReply = [id: number, error: PlainError | null, result: StatementResult | null]

/** The writer's first message: ready, or why the file could not be opened. Every later one is a batch of replies. */
export type WriterGreeting = { ready: true } | { failed: PlainError }

/** @returns the error's parts that matter to whoever judges it, as plain data. */
export function toPlainError(error: unknown): PlainError {
  const { message, code, errcode } = error as Partial<PlainError>
  return { message: message ?? String(error), code, errcode }
}

/** @returns an Error that looks like the one `node:sqlite` threw on the other side. */
export function fromPlainError({ message, code, errcode }: PlainError): Error {
  return Object.assign(new Error(message), { code, errcode })
}
