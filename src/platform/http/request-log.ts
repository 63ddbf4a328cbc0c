import type { FastifyReply, FastifyRequest } from 'fastify'
import { describeError, type Logger } from '../basics/logger.ts'
import { isEventStream } from './event-stream.ts'
import type { HttpMetrics } from './http-metrics.ts'
import type { HttpServer } from './http-server.ts'
import { limitUnreadBody } from './request-body.ts'

/** Options of the request log. */
export type RequestLogOptions = {
  /** Writes a line for each request, at any level of the log. */
  logRequests?: boolean
}

type Options = RequestLogOptions & { metrics: HttpMetrics; logger: Logger }

/** Duration from which a response is logged as slow. */
const SLOW_ANSWER_MS = 2000

/** Counts and logs each response, and does not leave its connection open without need. */
export function observeResponses(app: HttpServer, options: Options): void {
  const { metrics, logger, logRequests = false } = options
  const logRequest = logRequests ? createRequestLog(app, logger) : undefined
  let isStopping = false
  app.addHook('preClose', (done) => {
    isStopping = true
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    if (!request.raw.complete) limitUnreadBody(request.raw)
    // This connection was busy when the idle ones were closed. Kept alive, it would prevent the server from closing.
    if (isStopping) request.raw.socket.destroySoon()
    const durationMs = reply.elapsedTime
    const isStream = isEventStream(reply)
    const { method } = request
    const route = request.routeOptions.url ?? 'unknown'
    const status = reply.statusCode
    const durationSec = isStream ? undefined : durationMs / 1000
    // Pages for people say it without a code.
    const problemCode = reply.problemCode ?? (status === 500 ? 'INTERNAL' : undefined)
    metrics.observe({ method, route, status, durationSec, problemCode })
    logRequest?.(request, reply, route)
    const level = durationMs > SLOW_ANSWER_MS && !isStream ? 'warn' : 'debug'
    if (!logger.isLevelEnabled(level) || (level === 'debug' && logRequests)) return done()
    // The route's pattern, because an address can be a capability: a share, an image, a signed upload.
    const line = { method, route, status, durationMs: Math.round(durationMs), ip: request.ip }
    request.log[level](line, level === 'warn' ? 'slow answer' : 'answered')
    done()
  })
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The hash of the token or key that the request was accepted with; empty before, and without one. */
    tokenHash: string
    /** The owner of the token or key of the request; null before it is accepted, and without one. */
    tokenOwner: { kind: 'event' | 'workspace'; id: string } | null
    /** Bytes that its connection had sent before the request, which is only counted for the log of requests. */
    sentBefore: number
  }
  interface FastifyReply {
    /** The code of the problem that this is; undefined for any other answer. */
    problemCode: string | undefined
  }
}

/** Characters of a token's hash that are its id in lists and commands. They open nothing. */
export const TOKEN_ID_LENGTH = 32

/**
 * Creates the function that writes a line for an answered request. The line has the pattern of the route and never the
 * address, which can be a capability: a share, an image, a signed upload. It is written at every level of the log.
 */
function createRequestLog(
  app: HttpServer,
  logger: Logger,
): (request: FastifyRequest, reply: FastifyReply, route: string) => void {
  const log = logger.child({}, { level: 'info' })
  app.addHook('onRequest', (request, _reply, done) => {
    request.sentBefore = request.raw.socket.bytesWritten
    done()
  })
  return (request, reply, route) => {
    const { id, method, ip, raw, tokenHash, operatorId, sentBefore } = request
    log.info(
      {
        reqId: id,
        method,
        route,
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime * 1000) / 1000,
        // With the head, and as compressed as it was sent.
        bytes: raw.socket.bytesWritten - sentBefore,
        ip,
        operator: operatorId || undefined,
        token: tokenHash === '' ? undefined : tokenHash.slice(0, TOKEN_ID_LENGTH),
        code: reply.problemCode,
      },
      'request',
    )
  }
}

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/**
 * Returns the logger of a request. It adds `bindings` to each line and is created on first use: most requests log
 * nothing, and creating one takes longer than finding their route. The framework quotes `address` in some of its
 * warnings; it is left out, because it can be a capability.
 */
export function lazyChild(parent: Logger, bindings: Record<string, unknown>, address?: string): Logger {
  return new LazyChild(parent, bindings, address) as unknown as Logger
}

class LazyChild {
  readonly #parent: Logger
  readonly #bindings: Record<string, unknown>
  readonly #address: string | undefined
  #made: Logger | undefined

  constructor(parent: Logger, bindings: Record<string, unknown>, address: string | undefined) {
    this.#parent = parent
    this.#bindings = bindings
    this.#address = address
  }

  get level(): string {
    return this.#parent.level
  }

  get made(): Logger {
    this.#made ??= this.#parent.child(this.#bindings, {
      serializers: { err: (error: unknown) => this.#hideInError(error) },
    })
    return this.#made
  }

  /** Replaces the address, which the framework puts in quotation marks. */
  hide<Value>(value: Value): Value | string {
    return typeof value === 'string' ? value.replaceAll(`"${this.#address}"`, '"[hidden]"') : value
  }

  #hideInError(error: unknown): unknown {
    const logged = describeError(error)
    return { ...logged, message: this.hide(logged.message), stack: this.hide(logged.stack) }
  }

  child(bindings: Record<string, unknown>): Logger {
    return this.made.child(bindings)
  }

  isLevelEnabled(level: string): boolean {
    return this.#parent.isLevelEnabled(level)
  }
}

for (const level of LEVELS) {
  Object.defineProperty(LazyChild.prototype, level, {
    value(this: LazyChild, ...line: unknown[]) {
      if (this.isLevelEnabled(level)) this.made[level](...(line.map((part) => this.hide(part)) as [unknown]))
    },
  })
}
