import type { AddressInfo } from 'node:net'
import { notFound, RETRY_SOON_SEC, unavailable } from '../basics/errors.ts'
import type { Logger } from '../basics/logger.ts'
import { inTime } from '../basics/timers.ts'
import { createHttpServer } from './create-http-server.ts'
import { createHttpMetrics, type HttpMetrics } from './http-metrics.ts'
import type { HttpServer } from './http-server.ts'
import { sendKept } from './kept-text.ts'

/** A dependency that a service cannot work without. */
export type ReadinessCheck = {
  service: string
  name: string
  /** Rejects with UNAVAILABLE while it is down. */
  check(): Promise<void>
  /** Writes to it. Rejects with UNAVAILABLE while nothing can be stored. */
  checkWrite(): Promise<void>
  /** Time for which a write that succeeded counts. */
  writtenForMs: number
}

/** Time for a check. A probe that gets no answer in time tells less than one that gets a reason. */
const CHECK_WITHIN_MS = 2000

/** Time for which a write that failed counts. Probes need no permission, and must not make a full disk busier. */
const REFUSED_FOR_MS = 1000

/** Time for which metrics are kept. Writing them takes some milliseconds; monitoring reads them every few seconds. */
const METRICS_KEPT_MS = 100

/**
 * GET /healthz, /readyz and /metrics, for orchestrators and monitoring: without rate limit or authentication.
 * `/readyz?service=` checks the needs of one service: a balancer sends points to an instance whose files are away. A
 * check reads, and writes from time to time: a disk that is full or can only be read answers every read.
 */
export function healthRoutes(app: HttpServer, checks: readonly ReadinessCheck[], metrics: HttpMetrics): void {
  app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }))

  const all = checks.map(bounded)

  app.get('/readyz', { schema: { hide: true } }, async (request, reply) => {
    const { service } = request.query as { service?: string }
    const asked = service === undefined ? all : all.filter((check) => check.service === service)
    if (asked.length === 0 && all.length > 0) throw notFound({ detail: 'This service does not run here.' })
    const results = await Promise.all(asked.map(readiness))
    const ready = results.every(([, state]) => state === 'ok')
    return reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: ready ? 'ok' : 'unavailable', checks: Object.fromEntries(results) })
  })

  const { registry } = metrics
  const keptMetrics = atMostEvery(METRICS_KEPT_MS, () => sendKept(registry.contentType, () => registry.metrics()))
  app.get('/metrics', { schema: { hide: true }, compress: false }, async (request, reply) =>
    keptMetrics()(request, reply),
  )
}

/** Returns a function that calls `make` once for all callers within a time. */
function atMostEvery<Result>(timeMs: number, make: () => Result): () => Result {
  let kept: Result | undefined
  let madeAtMs = 0
  return () => {
    const nowMs = performance.now()
    if (kept === undefined || nowMs - madeAtMs > timeMs) {
      kept = make()
      madeAtMs = nowMs
    }
    return kept
  }
}

type BoundedCheck = { service: string; name: string; check(): Promise<void> }

/** Makes one check of both, which probes share. */
function bounded({ service, name, check, checkWrite, writtenForMs }: ReadinessCheck): BoundedCheck {
  const read = oneAtATime(check)
  const write = oneAtATime(checkWrite)
  let written: { untilMs: number; result: Promise<void> } | undefined
  const keptWrite = async () => {
    if (written !== undefined && performance.now() < written.untilMs) return await written.result
    const result = write()
    const forMs = await result.then(
      () => writtenForMs,
      () => REFUSED_FOR_MS,
    )
    written = { untilMs: performance.now() + forMs, result }
    return await result
  }
  return { service, name, check: () => read().then(keptWrite) }
}

async function readiness({ name, check }: BoundedCheck): Promise<[string, string]> {
  const answer = check().then(
    () => 'ok',
    (error: Error) => error.message,
  )
  return [name, await inTime(CHECK_WITHIN_MS, answer, () => `No answer within ${CHECK_WITHIN_MS / 1000} s.`)]
}

/** Lets probes that come while a check is under way wait for it: probes of a store that hangs must not pile up. */
function oneAtATime(check: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => {
    running ??= check().finally(() => (running = undefined))
    return running
  }
}

/** A server that answers while the process waits for something it cannot start without. */
type WaitingServer = {
  /** The port that it listens on. */
  port: number
  close(): Promise<void>
}

type WaitingServerOptions = {
  logger: Logger
  port: number
  host: string
  /** Name of the readiness check. */
  name: string
  /** Returns the reason for waiting. */
  reason: () => string
}

/** Answers 503 with the reason to everything but `/healthz` and `/metrics`. */
export async function startWaitingServer(options: WaitingServerOptions): Promise<WaitingServer> {
  const { logger, port, host, name, reason } = options
  const metrics = createHttpMetrics()
  const app = await createHttpServer({ logger, metrics, trustedProxies: [], formats: {} })
  const refusal = () => unavailable({ detail: reason(), retryAfterSec: RETRY_SOON_SEC })
  const refuse = () => Promise.reject(refusal())
  healthRoutes(app, [{ service: name, name, check: refuse, checkWrite: refuse, writtenForMs: 0 }], metrics)
  app.all('/*', { schema: { hide: true }, onRequest: (_request, _reply, done) => done(refusal()) }, async () => {})
  await app.listen({ port, host })
  return { port: (app.server.address() as AddressInfo).port, close: () => app.close() }
}
