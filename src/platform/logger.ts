import { type Logger, type LoggerOptions, pino, stdSerializers } from 'pino'
import { originalStack } from './build/original-stack.ts'
import { limitRepeatedFailures } from './repeated-failures.ts'

export type { Logger } from 'pino'

/**
 * Creates the log, one JSON object a line, on standard error: standard output is for output that a person asked for,
 * such as the start banner. The HTTP server passes it no headers, addresses or bodies. The redaction is a second
 * barrier, should a logged object carry them.
 */
export function createLogger(level: string, shownPart?: (address: string) => string | undefined): Logger {
  return pino(loggerOptions(level, shownPart), pino.destination({ fd: 2, sync: false }))
}

/**
 * Returns what makes a log ours. Of client addresses, every line has what `shownPart` returns, in the members that name
 * them; nothing by default.
 */
export function loggerOptions(
  level: string,
  shownPart: (address: string) => string | undefined = () => undefined,
): LoggerOptions {
  const address = (whole: unknown) => (typeof whole === 'string' ? shownPart(whole) : undefined)
  return {
    level,
    serializers: { err: describeError, ip: address, address },
    hooks: { logMethod: limitRepeatedFailures() },
    redact: {
      paths: ['*.headers', '*.authorization', '*["x-api-key"]', '*.token', '*.connectionString', '*.password'],
      censor: '[hidden]',
    },
  }
}

/** The logged members of an error. */
type LoggedError = { type?: string; message?: string; stack?: string; code?: unknown; errcode?: unknown }

/**
 * Describes an error for the log. Its other members are left out: in errors of databases they quote rows, in errors of
 * storage requests their headers.
 */
export function describeError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) }
  const { type, message, stack } = stdSerializers.err(error)
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  return { type, message, stack: stack && originalStack(stack), code, errcode }
}
