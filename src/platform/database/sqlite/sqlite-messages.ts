/** Values of SQLite. Integers are returned as numbers; one beyond 2^53 is an error, never a rounded value. */
export type SqlValue = null | number | bigint | string | Uint8Array

/** Result of one statement. Rows are arrays with separate column names, the cheapest form to send. */
export type StatementResult = { columns: readonly string[]; rows: SqlValue[][]; changes: number }

/**
 * Commands to the writer:
 * - `change`: one INSERT, UPDATE or DELETE, which may share a commit with waiting ones;
 * - `together`: several changes as one transaction, rolled back unless each changes the required number of rows;
 * - `alone`: one statement that runs outside any transaction (PRAGMA, VACUUM, DDL);
 * - `statement`, `commit`, `rollback`: parts of the transaction `session`, which begins with its first statement;
 * - `close`: checkpoint and end.
 */
export type WriterOperation = 'change' | 'together' | 'alone' | 'statement' | 'commit' | 'rollback' | 'close'

/** Arrays instead of objects, because structured cloning writes an object's keys into every message. */
export type WriterCommand = [
  id: number,
  operation: WriterOperation,
  session: number,
  sql: string,
  parameters: readonly SqlValue[],
  changes?: readonly WriterChange[],
]

/** One of several changes in one transaction. */
export type WriterChange = [sql: string, parameters: readonly SqlValue[], mustChange: number]

/** An error in the form sent between threads. `structuredClone` would drop the own properties of an Error. */
export type PlainError = { message: string; code: string | undefined; errcode: number | undefined }

export type WriterReply = [id: number, error: PlainError | null, result: StatementResult | null]

/** The writer's first message: ready, or why the file could not be opened. Every later one is a batch of replies. */
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
