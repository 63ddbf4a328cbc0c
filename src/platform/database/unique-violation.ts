import { AppError } from '../errors.ts'

const SQLITE_CONSTRAINT_PRIMARYKEY = 1555
const SQLITE_CONSTRAINT_UNIQUE = 2067
const POSTGRES_UNIQUE_VIOLATION = '23505'

type DriverError = Error & { code?: string; errcode?: number; table?: string; constraint?: string; detail?: string }

/**
 * Tells whether a statement violated a unique constraint, on either engine. `table` and `columns` select one
 * constraint, with the columns in its order. Names of constraints do not help, because SQLite does not report them.
 */
export function isUniqueViolation(error: unknown, table?: string, columns?: readonly string[]): boolean {
  if (!(error instanceof Error) || error instanceof AppError) return false
  const failure = error as DriverError
  if (failure.errcode === SQLITE_CONSTRAINT_UNIQUE || failure.errcode === SQLITE_CONSTRAINT_PRIMARYKEY) {
    return matches(sqliteKey(failure.message), table, columns)
  }
  if (failure.code !== POSTGRES_UNIQUE_VIOLATION) return false
  return matches({ table: failure.table, columns: postgresColumns(failure.detail) }, table, columns)
}

type Key = { table: string | undefined; columns: string[] }

function matches(key: Key, table: string | undefined, columns: readonly string[] | undefined): boolean {
  if (table !== undefined && key.table !== table) return false
  return columns === undefined || columns.join() === key.columns.join()
}

/** `UNIQUE constraint failed: tracks.event_id, tracks.device_track_id` */
function sqliteKey(message: string): Key {
  const names = message
    .slice(message.indexOf(': ') + 2)
    .split(', ')
    .map((name) => name.split('.'))
  return { table: names[0][0], columns: names.map((name) => name[1]) }
}

/** `Key (event_id, device_track_id)=(1, 2) already exists.` The words depend on the server's language. */
function postgresColumns(detail: string | undefined): string[] {
  const columns = /^[^(]*\(([^)]*)\)=\(/.exec(detail ?? '')?.[1] ?? ''
  return columns.split(', ').map((column) => column.replaceAll('"', ''))
}
