import type { Logger } from '../../logger.ts'
import { limitUnreadBody } from '../bodies/drain-body.ts'
import type { HttpServer } from '../http-server.ts'
import { isEventStream } from '../streams/event-stream.ts'
import type { HttpMetrics } from './metrics.ts'
import { createRequestLog } from './request-log.ts'

/** Options of what is written about requests. */
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
