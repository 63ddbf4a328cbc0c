import { AppError, RETRY_SOON_SEC, unavailable } from '../basics/errors.ts'

const UNREACHABLE = 'The database cannot be reached.'
const DAMAGED = "The database's file is damaged."
const FULL = "The database's disk is full."

/** Primary result codes of SQLite (https://sqlite.org/rescode.html) for a database that cannot be used right now. */
const SQLITE_FAILURES: Record<number, string> = {
  5: 'The database is busy.',
  6: 'The database is busy.',
  7: 'The database has run out of memory.',
  8: "The database's disk cannot be written to.",
  10: "The database's disk failed.",
  11: DAMAGED,
  13: FULL,
  14: "The database's file cannot be opened.",
  15: 'The database is busy.',
  26: DAMAGED,
}

/**
 * Error codes of PostgreSQL (https://www.postgresql.org/docs/current/errcodes-appendix.html). The longest match
 * applies.
 */
const POSTGRES_FAILURES: Record<string, string> = {
  '08': UNREACHABLE,
  '25006': 'The database can only be read at the moment.',
  '25P03': 'The transaction took too long.',
  '28': 'The database refuses the connection.',
  '3D000': 'The database refuses the connection.',
  '40001': 'The database is busy.',
  '40P01': 'The database is busy.',
  '53': 'The database has run out of resources.',
  '53100': FULL,
  '53200': 'The database has run out of memory.',
  '53300': 'The database has too many connections.',
  '55P03': 'The database is busy.',
  '57014': 'The database took too long.',
  '57P': UNREACHABLE,
  '58': "The database's disk failed.",
  XX001: DAMAGED,
  XX002: DAMAGED,
}

const NETWORK_CODES = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])

/** Starts of messages of errors from `pg` and `pg-pool` that have no code. */
const CONNECTION_MESSAGES = [
  'Connection terminated',
  'Client has encountered a connection error',
  'Client was closed',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
  'The server does not support SSL connections',
  'Cannot use a pool after calling end on the pool',
]

/** Errors made here, to tell them from network errors of other parts, which look the same. */
const failures = new WeakSet<AppError>()

/**
 * Turns a driver's error into UNAVAILABLE, with the reason in words and the error as its cause, if it means that the
 * database cannot be used right now. Returns any other error unchanged.
 */
export function translateFailure(error: unknown): unknown {
  if (error instanceof AppError) return error
  const detail = failureDetail(error)
  return detail === undefined ? error : databaseUnavailable(detail, error)
}

/** Makes an UNAVAILABLE error that `isDatabaseUnavailable` recognises. */
export function databaseUnavailable(detail = UNREACHABLE, cause?: unknown): AppError {
  const failure = unavailable({ detail, cause, retryAfterSec: RETRY_SOON_SEC })
  failures.add(failure)
  return failure
}

/** Tells whether the connection is lost or the server does not answer, rather than answering with a refusal. */
export function isDatabaseUnreachable(error: unknown): boolean {
  return (translateFailure(error) as Error | undefined)?.message === UNREACHABLE
}

/** Tells whether a failure means that a part of the database cannot be read. */
function isDamaged(error: unknown): boolean {
  return isDatabaseUnavailable(error) && error.message === DAMAGED
}

/** Tells whether a failure means that nothing more can be written. */
function isFull(error: unknown): boolean {
  return isDatabaseUnavailable(error) && error.message === FULL
}

/** Makes the failure of a database whose disk has no room. */
export function diskFull(): AppError {
  return databaseUnavailable(FULL)
}

/** Tells whether a query failed because the database cannot be used right now: it is gone, full, broken or too busy. */
export function isDatabaseUnavailable(error: unknown): error is AppError {
  return error instanceof AppError && failures.has(error)
}

function failureDetail(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  // The lower byte is the primary code. The rest gives details, such as the kind of IOERR.
  if (typeof errcode === 'number') return SQLITE_FAILURES[errcode & 0xff]
  if (code === 'ERR_WRITER_ENDED') return 'The database was interrupted.'
  if (code === 'ERR_TRANSACTION_ROLLED_BACK') return 'The transaction took too long.'
  if (isConnectionFailure(error, code)) return UNREACHABLE
  return typeof code === 'string' ? postgresDetail(code) : undefined
}

function isConnectionFailure(error: Error, code: unknown): boolean {
  // The server's socket file does not exist.
  if (code === 'ENOENT' && (error as NodeJS.ErrnoException).syscall === 'connect') return true
  if (typeof code === 'string' && NETWORK_CODES.has(code)) return true
  return code === undefined && CONNECTION_MESSAGES.some((start) => error.message.startsWith(start))
}

function postgresDetail(code: string): string | undefined {
  if (!/^[0-9A-Z]{5}$/.test(code)) return undefined
  return POSTGRES_FAILURES[code] ?? POSTGRES_FAILURES[code.slice(0, 3)] ?? POSTGRES_FAILURES[code.slice(0, 2)]
}

/** Time for which a full disk counts after a query that met it. */
const FULL_FOR_MS = 10_000

/**
 * Failures that queries meet and a check cannot find at little cost: a damaged page is read by some queries only, and
 * on a full disk a small write may still fit where a larger one does not. Damage stays until the process ends.
 */
export class NotedFailures {
  #damage: unknown
  #full: unknown
  #fullAtMs = Number.NEGATIVE_INFINITY

  /** Translates the error of a driver, and remembers it if it concerns the database as a whole. */
  translated(error: unknown): unknown {
    const translated = translateFailure(error)
    if (isDamaged(translated)) this.#damage = translated
    else if (isFull(translated)) {
      this.#full = translated
      this.#fullAtMs = performance.now()
    }
    return translated
  }

  /** Throws the remembered failure. */
  require(): void {
    if (this.#damage !== undefined) throw this.#damage
    if (performance.now() - this.#fullAtMs < FULL_FOR_MS) throw this.#full
  }
}
