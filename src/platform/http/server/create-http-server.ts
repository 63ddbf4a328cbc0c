import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import compress from '@fastify/compress'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, { LogController } from 'fastify'
import { type AppError, badRequest, headTooLarge } from '../../errors.ts'
import type { Logger } from '../../logger.ts'
import { bodyTooSlow } from '../bodies/request-body.ts'
import type { HttpServer } from '../http-server.ts'
import type { ConnectionLimits } from '../limits/connection-limit.ts'
import { PROBLEM_TYPE, problemOf, sendProblem } from '../problems/problem.ts'
import { type Formats, validateWithSchemas } from '../problems/schema-validation.ts'
import { isEventStream, keepEventStreams } from '../streams/event-stream.ts'
import { lazyChild } from './lazy-child.ts'
import { answerMalformed } from './malformed-addresses.ts'
import type { HttpMetrics } from './metrics.ts'
import { answerUnknownRoutes } from './unknown-routes.ts'

export type HttpServerOptions = {
  logger: Logger
  metrics: HttpMetrics
  trustedProxies: readonly string[]
  /** The text formats that the services' schemas name. */
  formats: Formats
  /** How many streams of events may be open, by one address and in all. */
  streamLimits?: ConnectionLimits
}

/** A connection on which nothing moves for this long is closed; a slow one on which bytes flow is not. */
const IDLE_CONNECTION_MS = 75_000
/** Time for the head of a request; slow heads are the classic way to hold connections (slowloris). */
const HEADERS_TIME_LIMIT_MS = 20_000
/** How often connections are held against that limit; Node.js would do it every 30 seconds. */
const HEADERS_CHECK_EVERY_MS = 2000
/** No part of an address is too long for its route, which knows best what is not there: heads end at 16 KiB (Node.js). */
const MAX_PARAMETER_LENGTH = 16_384
/** An id that a proxy or client gave is kept, so that one id follows a request through every log. */
const GIVEN_REQUEST_ID = /^[\w.:-]{8,100}$/
/** Answers slower than this are worth a line in the log. */
const SLOW_ANSWER_MS = 2000

/** The one HTTP server: limits, request ids, logging, metrics, compression and the one form of errors. */
export async function createHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const app = Fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger, bindings) => lazyChild(logger as Logger, bindings),
    requestIdHeader: false,
    genReqId: requestId,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    // The time a body may take is judged where it is read: a large upload may be slow as long as it moves.
    requestTimeout: 0,
    connectionTimeout: IDLE_CONNECTION_MS,
    keepAliveTimeout: IDLE_CONNECTION_MS,
    http: {
      headersTimeout: HEADERS_TIME_LIMIT_MS,
      connectionsCheckingInterval: HEADERS_CHECK_EVERY_MS,
      // Node.js would refuse it without saying anything.
      requireHostHeader: false,
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    exposeHeadRoutes: true,
    frameworkErrors: answerMalformed,
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
    clientErrorHandler: refuseMalformedRequest,
  }).withTypeProvider<TypeBoxTypeProvider>() as HttpServer

  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply))
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.setHeader('x-request-id', request.id)
    reply.raw.setHeader('x-content-type-options', 'nosniff')
    done(lacksHost(request.raw) ? badRequest({ detail: 'A request must have a Host header.' }) : undefined)
  })
  // Expectations but 100-continue need not be understood (RFC 9110, 10.1.1); Node.js would refuse them without a word.
  app.server.on('checkExpectation', app.routing)
  let isStopping = false
  app.addHook('preClose', (done) => {
    isStopping = true
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    // Its connection was busy when the idle ones were closed, and kept alive it would keep the server from closing.
    if (isStopping) request.raw.socket.destroySoon()
    const durationMs = reply.elapsedTime
    const route = request.routeOptions.url ?? 'unknown'
    options.metrics.observe(request.method, route, reply.statusCode, durationMs / 1000)
    const level = durationMs > SLOW_ANSWER_MS && !isEventStream(reply) ? 'warn' : 'debug'
    if (!options.logger.isLevelEnabled(level)) return done()
    // Only the path: query strings can carry signatures.
    const line = {
      method: request.method,
      path: request.url.split('?')[0],
      status: reply.statusCode,
      durationMs: Math.round(durationMs),
      ip: request.ip,
    }
    request.log[level](line, level === 'warn' ? 'slow answer' : 'answered')
    done()
  })
  keepEventStreams(app, options.streamLimits)
  validateWithSchemas(app, options.formats)
  answerUnknownRoutes(app)
  await app.register(compress, {
    globalDecompression: false,
    encodings: ['zstd', 'br', 'gzip'],
    threshold: 1024,
  })
  return app
}

function requestId(raw: IncomingMessage): string {
  const given = raw.headers['x-request-id']
  return typeof given === 'string' && GIVEN_REQUEST_ID.test(given) ? given : randomUUID()
}

/** Every request but one of HTTP/1.0 must have it (RFC 9112, 3.2). */
function lacksHost({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.host === undefined && httpVersion !== '1.0'
}

/** Answers what is not HTTP, or has a head too large; there is no request yet, so the answer is written by hand. */
function refuseMalformedRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const problem = problemOf(refusalOf(error.code), randomUUID())
  const body = JSON.stringify(problem)
  const head = [
    `HTTP/1.1 ${problem.status} ${problem.title}`,
    `Content-Type: ${PROBLEM_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${problem.request_id}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

function refusalOf(code: string | undefined): AppError {
  if (code === 'HPE_HEADER_OVERFLOW') return headTooLarge()
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return bodyTooSlow({ detail: 'The request did not arrive in time.' })
  return badRequest({ detail: 'This is not valid HTTP.' })
}
