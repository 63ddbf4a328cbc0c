import type { Level, LogFn, Logger } from 'pino'

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
 * disk that is full fails fifty times a second, in the same words. Failures are lines with `err`, at `warn` and
 * `error`. Of one kind are those with the same message, code and first line of the stack.
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
