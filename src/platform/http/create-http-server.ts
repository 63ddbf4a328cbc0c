import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import compress from '@fastify/compress'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, { LogController } from 'fastify'
import { type AppError, badRequest, headTooLarge } from '../basics/errors.ts'
import type { Logger } from '../basics/logger.ts'
import { bodyTooSlow } from './body-limits.ts'
import { hasValidHost } from './client.ts'
import { type ConnectionLimits, countPipelined, limitConnections } from './connection-limit.ts'
import { countEventStreams, keepEventStreams } from './event-stream.ts'
import type { HttpMetrics } from './http-metrics.ts'
import { type BeforeRouting, type HttpServer, preparingFailed, routeAfter, SERVICE_HEADER } from './http-server.ts'
import { endWithProblem, sendProblem } from './problem.ts'
import { lazyChild, observeResponses, type RequestLogOptions } from './request-log.ts'
import { type Formats, validateWithSchemas } from './schema-validation.ts'
import { traceRequests } from './trace-requests.ts'
import { answerMalformed, answerUnknownRoutes } from './unknown-routes.ts'
import { watchOpenFiles, watchStalls } from './watch-process.ts'

type HttpServerOptions = RequestLogOptions & {
  logger: Logger
  metrics: HttpMetrics
  trustedProxies: readonly string[]
  /** Text formats that the services' schemas use. */
  formats: Formats
  /** Maximum number of connections of one address; none by default. */
  connectionsPerAddress?: number
  /** Prepares each request before its route is chosen. */
  beforeRouting?: BeforeRouting
  /** Maximum number of open event streams, for each address and in total. */
  streamLimits?: ConnectionLimits
}

/** Idle time after which a connection is closed. A slow connection on which bytes flow stays open. */
const IDLE_CONNECTION_MS = 75_000
/** Time limit for the head of a request. Slow heads are the classic way to exhaust connections (slowloris). */
const HEADERS_TIME_LIMIT_MS = 20_000
/** Interval at which that limit is enforced. The default of Node.js is 30 seconds. */
const HEADERS_CHECK_EVERY_MS = 2000
/** As long as a whole head may be (16 KiB in Node.js), so that the route itself answers an overlong parameter. */
const MAX_PARAMETER_LENGTH = 16_384
/** Accepted ids from a proxy or client. They are kept, so that one id follows a request through every log. */
const GIVEN_REQUEST_ID = /^[\w.:-]{8,100}$/

/** Creates the HTTP server with limits, request ids, logging, metrics, compression and a single error format. */
export async function createHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { beforeRouting = () => undefined } = options
  const app = Fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger, bindings, _options, raw) => lazyChild(logger as Logger, bindings, raw.url),
    requestIdHeader: false,
    genReqId: requestId,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    serverFactory: (handle) => createNodeServer(routeAfter(beforeRouting, handle)),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    exposeHeadRoutes: true,
    frameworkErrors: answerMalformed,
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
    clientErrorHandler: refuseMalformedRequest,
  }).withTypeProvider<TypeBoxTypeProvider>() as HttpServer

  closeSilentConnections(app.server)
  // Before all other hooks, which happen within the span of the request.
  traceRequests(app, options.trustedProxies)
  const { connectionsPerAddress: perAddress, trustedProxies, metrics } = options
  const onRefused = metrics.connectionRefused
  if (perAddress !== undefined) limitConnections(app.server, { perAddress, trustedProxies, onRefused })
  app.decorateRequest('tokenHash', '')
  app.decorateRequest('tokenOwner', null)
  app.decorateRequest('sentBefore', 0)
  app.decorateReply('problemCode', undefined)
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply))
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.setHeader('x-request-id', request.id)
    reply.raw.setHeader(SERVICE_HEADER.name, SERVICE_HEADER.value)
    reply.raw.setHeader('x-content-type-options', 'nosniff')
    // A response gets the socket when all responses before it are sent.
    const refusal = reply.raw.socket === null ? countPipelined(request.raw, reply.raw) : undefined
    if (refusal === 'ignored') return
    if (refusal !== undefined) return done(refusal)
    const failure = preparingFailed(request.raw)
    if (failure !== undefined) return done(failure)
    done(hasValidHost(request.raw) ? undefined : badRequest({ detail: 'A request must have one valid Host header.' }))
  })
  // Fastify's own parsers know no limits. A route without a body ignores one; others have a parser of their own.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  // Only 100-continue must be understood (RFC 9110, 10.1.1). Node.js would refuse others without an explanation.
  app.server.on('checkExpectation', routeAfter(beforeRouting, app.routing))
  observeResponses(app, options)
  watchStalls(app, options)
  watchOpenFiles(app, options)
  keepEventStreams(app, options.streamLimits)
  metrics.watchOpen({ connections: () => countConnections(app), streams: () => countEventStreams(app) })
  validateWithSchemas(app, options.formats)
  answerUnknownRoutes(app)
  await app.register(compress, {
    globalDecompression: false,
    encodings: ['zstd', 'br', 'gzip'],
    threshold: 1024,
  })
  return app
}

/** Creates the server of Node.js with its time limits. */
function createNodeServer(handle: RequestListener): Server {
  const server = createServer(
    {
      headersTimeout: HEADERS_TIME_LIMIT_MS,
      connectionsCheckingInterval: HEADERS_CHECK_EVERY_MS,
      // Node.js would refuse the request without an explanation.
      requireHostHeader: false,
    },
    handle,
  )
  server.keepAliveTimeout = IDLE_CONNECTION_MS
  // The time limit of a body is enforced where it is read: a large upload may be slow while bytes arrive.
  server.requestTimeout = 0
  server.setTimeout(IDLE_CONNECTION_MS)
  return server
}

function countConnections(app: HttpServer): Promise<number> {
  return new Promise((resolve, reject) => {
    app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
}

function requestId(raw: IncomingMessage): string {
  const given = raw.headers['x-request-id']
  return typeof given === 'string' && GIVEN_REQUEST_ID.test(given) ? given : randomUUID()
}

/** Answers malformed HTTP and oversized heads. There is no request yet, so the response is written to the socket. */
function refuseMalformedRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  endWithProblem(socket, refusalOf(error.code))
}

function refusalOf(code: string | undefined): AppError {
  if (code === 'HPE_HEADER_OVERFLOW') return headTooLarge()
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return bodyTooSlow({ detail: 'The request did not arrive in time.' })
  return badRequest({ detail: 'This is not valid HTTP.' })
}

/**
 * Makes a stopping server close connections without any request along with the idle ones. Browsers and HTTP clients
 * open some in advance. Node.js 24 counts a connection as idle only after an answer, so the others would delay the
 * stop.
 */
function closeSilentConnections(server: Server): void {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  const closeAnswered = server.closeIdleConnections
  server.closeIdleConnections = () => {
    closeAnswered.call(server)
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  }
}
