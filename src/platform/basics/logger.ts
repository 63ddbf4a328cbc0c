import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'
import { type Level, type LogFn, type Logger, type LoggerOptions, pino, stdSerializers } from 'pino'

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
 * Returns the options of our log. Every line has client addresses as `shownPart` returns them, in the members that name
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

/** Time for which a kind of failure is logged once. */
const ONCE_IN_MS = 60_000
/** Kinds that are told apart. All others count as one. */
const MAX_KINDS = 200
/** Requests that the line about repetitions names. */
const MAX_NAMED = 20

/** Numbers of the levels that failures have, as pino gives them. */
const FAILURES: Record<number, Level> = { 40: 'warn', 50: 'error' }

type Repeated = { count: number; requests: unknown[]; message: string; level: Level; log: Logger }

/**
 * Makes the hook of a log that writes a failure of one kind once a minute, and afterwards how often it came again: a
 * full disk fails fifty times a second, in the same words. Failures are lines with `err`, at `warn` and `error`.
 * Failures of one kind have the same message, code and first line of the stack.
 */
export function limitRepeatedFailures() {
  const kinds = new Map<string, Repeated>()

  function begin(kind: string, repeated: Repeated): void {
    kinds.set(kind, repeated)
    setTimeout(() => {
      kinds.delete(kind)
      const { count, requests, message, level, log } = repeated
      if (count > 0) log[level]({ repeated: count, withinSec: ONCE_IN_MS / 1000, requests }, message)
    }, ONCE_IN_MS).unref()
  }

  /** Returns whether a failure is to be logged. Otherwise it is counted. */
  function isFirst(log: Logger, error: Error, message: string, level: Level): boolean {
    const own = kindOf(error, message)
    const kind = kinds.has(own) || kinds.size < MAX_KINDS ? own : 'other'
    const known = kinds.get(kind)
    if (known === undefined) {
      begin(kind, { count: 0, requests: [], message, level, log })
      return true
    }
    known.count++
    const { reqId } = log.bindings()
    if (reqId !== undefined && known.requests.length < MAX_NAMED) known.requests.push(reqId)
    return false
  }

  return function logMethod(this: Logger, args: Parameters<LogFn>, method: LogFn, levelNumber: number): void {
    const [details, text] = args as unknown as [{ err?: unknown } | undefined, string | undefined]
    const level = FAILURES[levelNumber]
    const error = level !== undefined && typeof details === 'object' ? details?.err : undefined
    if (error instanceof Error && !isFirst(this, error, text ?? error.message, level)) return
    method.apply(this, args)
  }
}

function kindOf(error: Error, message: string): string {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  // The stack of a failed system call, which has a code, differs by who made it.
  const frame = code === undefined ? (error.stack ?? '').split('\n').find((line) => /^ +at /.test(line)) : ''
  return [message, error.name, code, errcode, frame].join('|')
}

/** A place within a bundled file of a build, as a stack trace names it. */
const BUNDLED_PLACE = /(file:\/\/[^\s():]+\/chunks\/[^\s()/]+\.js):(\d+):(\d+)/g

const maps = new Map<string, SourceMap | undefined>()

/**
 * Returns a stack trace with places in the sources instead of the bundled files. A source map is read when a trace
 * first needs it: Node.js, if asked to do this, reads all of them at the start, some 20 MiB.
 */
export function originalStack(stack: string): string {
  return stack.replace(BUNDLED_PLACE, (place, bundled: string, line: string, column: string) => {
    if (!maps.has(bundled)) maps.set(bundled, readMap(bundled))
    // Stack traces count lines and columns from 1.
    const origin = maps.get(bundled)?.findEntry(Number(line) - 1, Number(column) - 1)
    if (origin === undefined || !('originalSource' in origin)) return place
    return `${new URL(origin.originalSource, bundled).href}:${origin.originalLine + 1}:${origin.originalColumn + 1}`
  })
}

function readMap(bundled: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(bundled)}.map`, 'utf8')))
  } catch {
    return undefined
  }
}
